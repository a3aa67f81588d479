// The category tree of the shop's menu, up to three levels (spec V088).
import { useApiQuery } from '../../api/query'

/** A brand of a category, with its logo. */
export type CategoryBrand = { code: string; name: string; label: { url: string } }

export type Category = {
  _id: string
  name: string
  code: string
  /** Its own, or its parent's (spec V089). */
  visual?: { url?: string | null } | null
  /** The brands shown with it. */
  brands?: CategoryBrand[]
  children?: Category[]
}

const useTree = () => useApiQuery('/api/v1/shop/categories', {}, { staleTime: 300_000, retry: false })

/** The top categories with their children; empty while loading or on failure. */
export const useCategories = (): readonly Category[] => useTree().data?.categories ?? []

/** Whether they are loading, for placeholders. */
export const useCategoriesPending = (): boolean => useTree().isPending
