// What the product list shows, read from the address and written back to it.

export const PAGE_SIZE = 20

/** The sorts of the specification (V113). Without one a search is sorted by how well it fits, a list by date. */
export const SORTS = [
  { value: 'LATEST', label: '신상품순' },
  { value: 'NAME', label: '이름순' },
  { value: 'PRICE_ASC', label: '낮은 가격순' },
  { value: 'PRICE_DESC', label: '높은 가격순' },
] as const

export type Listing = { category?: string; searchValue?: string; sort?: string; page: number }

export function readListing(params: URLSearchParams): Listing {
  const page = Number(params.get('page') ?? 1)
  const sort = params.get('sort')
  return {
    category: params.get('category') || undefined,
    searchValue: params.get('searchValue')?.trim() || undefined,
    sort: SORTS.some(({ value }) => value === sort) ? (sort ?? undefined) : undefined,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

/** The address of a listing; the first page and unset parts are left out. */
export function listingHref(listing: Listing): string {
  const { page, ...rest } = listing
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) if (value) params.set(name, value)
  if (page > 1) params.set('page', String(page))
  const query = params.toString()
  return query ? `/shop/products?${query}` : '/shop/products'
}
