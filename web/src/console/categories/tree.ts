// Looking through the category tree.

export type Branch = {
  _id: string
  code: string
  name: string
  shows: boolean
  /** Its own picture, or the nearest one above it (spec V089). */
  visual: { url?: string | null }
  index: number
  depth: number
  children: Branch[]
}

/** Every category, children after their parent. */
export const flat = (tree: readonly Branch[]): Branch[] => tree.flatMap((branch) => [branch, ...flat(branch.children)])

/** The tree without some of its branches. */
export const without = (tree: readonly Branch[], ids: readonly string[]): Branch[] =>
  tree
    .filter((branch) => !ids.includes(branch._id))
    .map((branch) => ({ ...branch, children: without(branch.children, ids) }))

/** How many levels a branch has, itself included. */
const height = (branch: Branch): number => 1 + Math.max(0, ...branch.children.map(height))

const LEVELS = 3

/** Where a category (or a new one) may be put: nowhere under itself, and no deeper than three levels (spec V088). */
export function parentsFor(tree: readonly Branch[], moving?: Branch): { value: string; label: string }[] {
  const own = new Set(moving ? flat([moving]).map((branch) => branch._id) : [])
  const levels = moving ? height(moving) : 1
  return flat(tree)
    .filter((branch) => !own.has(branch._id) && branch.depth + levels <= LEVELS)
    .map((branch) => ({ value: branch._id, label: `${'　'.repeat(branch.depth - 1)}${branch.name}` }))
}

/** The new places of two neighbours that change seats. */
export function swapped(siblings: readonly Branch[], branch: Branch, by: -1 | 1): { _id: string; index: number }[] {
  const from = siblings.indexOf(branch)
  const other = siblings[from + by]
  if (from < 0 || !other) return []
  return [
    { _id: branch._id, index: from + by },
    { _id: other._id, index: from },
  ]
}

/** Where a category is put down: before or after another, or inside it. */
export type Where = 'before' | 'after' | 'inside'

/** The parent and place of a category put down there; undefined where it may not go (under itself, too deep, where it is). */
export function dropped(
  tree: readonly Branch[],
  moving: Branch,
  target: Branch,
  where: Where,
): { parent: string; index: number } | undefined {
  if (moving._id === target._id) return undefined
  const above = flat(tree).find((branch) => branch.children.some((child) => child._id === target._id))
  const parent = where === 'inside' ? target : above
  if (parent && !parentsFor(tree, moving).some((place) => place.value === parent._id)) return undefined
  const siblings = parent ? parent.children : tree
  if (where === 'inside') return { parent: target._id, index: siblings.filter((one) => one._id !== moving._id).length }
  // Places are counted without the one that moves.
  const others = siblings.filter((one) => one._id !== moving._id)
  const index = others.findIndex((one) => one._id === target._id) + (where === 'after' ? 1 : 0)
  const isThere = siblings.findIndex((one) => one._id === moving._id) === index
  return isThere ? undefined : { parent: parent?._id ?? '', index }
}
