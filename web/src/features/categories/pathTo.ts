// Finds the path to a category in the tree.
import type { Category } from './api'

/** The categories from the top to a code: `[자전거, 로드]`; empty for an unknown code. */
export function pathTo(code: string, tree: readonly Category[]): Category[] {
  for (const category of tree) {
    if (category.code === code) return [category]
    const below = pathTo(code, category.children ?? [])
    if (below.length > 0) return [category, ...below]
  }
  return []
}
