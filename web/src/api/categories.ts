// The category tree of the shop's menu, up to three levels (spec V088).
import { useRead } from './read'

export type Category = {
  _id: string
  name: string
  code: string
  /** Its own, or its parent's (spec V089). */
  visual?: { url?: string | null } | null
  children?: Category[]
}

/** The top categories with their children; empty while they are read or when they cannot be. */
export function useCategories(): readonly Category[] {
  const { data } = useRead('/api/v1/shop/categories', {}, { staleTime: 300_000, retry: false })
  return data?.categories ?? []
}
