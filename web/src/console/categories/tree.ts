// Functions over the category tree.

export type Branch = {
  _id: string
  code: string
  name: string
  shows: boolean
  /** Its own picture, or that of the nearest ancestor (spec V089). */
  visual: { url?: string | null }
  index: number
  depth: number
  children: Branch[]
}

/** Every category, children after their parent. */
export const flat = (tree: readonly Branch[]): Branch[] => tree.flatMap((branch) => [branch, ...flat(branch.children)])

/** The tree without the given branches. */
export const without = (tree: readonly Branch[], ids: readonly string[]): Branch[] =>
  tree
    .filter((branch) => !ids.includes(branch._id))
    .map((branch) => ({ ...branch, children: without(branch.children, ids) }))

/** The number of levels of a branch, including itself. */
const height = (branch: Branch): number => 1 + Math.max(0, ...branch.children.map(height))

/** Maximum depth of the tree (spec V088). */
export const LEVELS = 3

/** Possible parents of a category (or a new one): none below itself, and at most three levels (spec V088). */
export function parentsFor(tree: readonly Branch[], moving?: Branch): { value: string; label: string }[] {
  const own = new Set(moving ? flat([moving]).map((branch) => branch._id) : [])
  const levels = moving ? height(moving) : 1
  return flat(tree)
    .filter((branch) => !own.has(branch._id) && branch.depth + levels <= LEVELS)
    .map((branch) => ({ value: branch._id, label: `${'　'.repeat(branch.depth - 1)}${branch.name}` }))
}

/** A category's parent and next sibling; empty texts mean top level, and last position. */
export type Place = { parent: string; before: string }

/** The children of a category, or the top level. */
export const childrenOf = (tree: readonly Branch[], parent: string): readonly Branch[] =>
  parent === '' ? tree : (flat(tree).find(({ _id }) => _id === parent)?.children ?? [])

/** The current place of a category. */
export function placeOf(tree: readonly Branch[], branch: Branch): Place {
  const above = flat(tree).find(({ children }) => children.some(({ _id }) => _id === branch._id))
  const siblings = above ? above.children : tree
  const next = siblings[siblings.findIndex(({ _id }) => _id === branch._id) + 1]
  return { parent: above?._id ?? '', before: next?._id ?? '' }
}

/** One position up or down among its siblings; undefined at the end. */
export function neighbouring(tree: readonly Branch[], branch: Branch, by: -1 | 1): Place | undefined {
  const { parent } = placeOf(tree, branch)
  const siblings = childrenOf(tree, parent)
  const at = siblings.findIndex(({ _id }) => _id === branch._id)
  if (!siblings[at + by]) return undefined
  return { parent, before: siblings[by < 0 ? at - 1 : at + 2]?._id ?? '' }
}

/** A category's name with its ancestors: `자전거 › 로드`; empty at the top. */
export function pathOf(tree: readonly Branch[], id: string): string {
  for (const branch of tree) {
    if (branch._id === id) return branch.name
    const below = pathOf(branch.children, id)
    if (below) return `${branch.name} › ${below}`
  }
  return ''
}

/** Its position among its siblings there, counted from 1. */
export function nthAt(tree: readonly Branch[], moving: Branch, { parent, before }: Place): number {
  const others = childrenOf(tree, parent).filter(({ _id }) => _id !== moving._id)
  const at = others.findIndex(({ _id }) => _id === before)
  return (at < 0 ? others.length : at) + 1
}

/** The drop side: before or after another category, or inside it. */
export type DropSide = 'before' | 'after' | 'inside'

/** The parent of a category dropped there; empty at the top. */
const parentAt = (tree: readonly Branch[], target: Branch, where: DropSide): string =>
  where === 'inside' ? target._id : placeOf(tree, target).parent

/** Whether the category or its descendants would exceed the maximum depth. */
export function isTooDeep(tree: readonly Branch[], moving: Branch, target: Branch, where: DropSide): boolean {
  const parent = flat(tree).find(({ _id }) => _id === parentAt(tree, target, where))
  if (!parent || flat([moving]).some(({ _id }) => _id === parent._id)) return false
  return parent.depth + height(moving) > LEVELS
}

/** The place of a category dropped there; undefined if not allowed (under itself, too deep, unchanged). */
export function dropped(tree: readonly Branch[], moving: Branch, target: Branch, where: DropSide): Place | undefined {
  if (moving._id === target._id) return undefined
  const of = placeOf(tree, target)
  const parent = parentAt(tree, target, where)
  if (parent && !parentsFor(tree, moving).some((place) => place.value === parent)) return undefined
  const next = of.before === moving._id ? placeOf(tree, moving).before : of.before
  const before = where === 'inside' ? '' : where === 'before' ? target._id : next
  const now = placeOf(tree, moving)
  return now.parent === parent && now.before === before ? undefined : { parent, before }
}
