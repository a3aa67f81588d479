// Looking through the category tree.

export type Branch = {
  _id: string
  code: string
  name: string
  shows: boolean
  index: number
  depth: number
  children: Branch[]
}

/** Every category, children after their parent. */
export const flat = (tree: readonly Branch[]): Branch[] => tree.flatMap((branch) => [branch, ...flat(branch.children)])

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
