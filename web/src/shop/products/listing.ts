// The filters of the product list, parsed from the address and formatted back.

import { pageIn } from '../../lib/usePage'

export const PAGE_SIZE = 20

/** The sorts of the specification (V113). By default a search is sorted by relevance, a list by date. */
export const SORTS = [
  { value: 'LATEST', label: '신상품순' },
  { value: 'NAME', label: '이름순' },
  { value: 'PRICE_ASC', label: '낮은 가격순' },
  { value: 'PRICE_DESC', label: '높은 가격순' },
  { value: 'REVIEW', label: '후기 많은순' },
] as const

export type ListingState = {
  category?: string
  /** Of this seller. */
  seller?: string
  searchValue?: string
  /** Groups of products (새 학기, 선물), matching any of them. */
  groups: readonly string[]
  brands: readonly string[]
  /** Hundredths, both ends inclusive. */
  priceMin?: number
  priceMax?: number
  inStock: boolean
  freeShipping: boolean
  sort?: string
  page: number
}

export const ALL: ListingState = { groups: [], brands: [], inStock: false, freeShipping: false, page: 1 }

const words = (params: URLSearchParams, name: string): string[] => [
  ...new Set(
    params
      .getAll(name)
      .flatMap((value) => value.split(','))
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
]

function whole(params: URLSearchParams, name: string): number | undefined {
  const value = params.get(name)
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

export function readListing(params: URLSearchParams): ListingState {
  const sort = params.get('sort')
  return {
    category: params.get('category') || undefined,
    seller: params.get('_seller') || undefined,
    searchValue: params.get('searchValue')?.trim() || undefined,
    groups: words(params, 'groups'),
    brands: words(params, 'brand'),
    priceMin: whole(params, 'priceMin'),
    priceMax: whole(params, 'priceMax'),
    inStock: params.get('inStock') === 'true',
    freeShipping: params.get('freeShipping') === 'true',
    sort: SORTS.some(({ value }) => value === sort) ? (sort ?? undefined) : undefined,
    page: pageIn(params),
  }
}

/** The query of the server; unset filters are omitted. */
export function listingQuery(listing: ListingState): Record<string, string | undefined> {
  const { category, seller, searchValue, groups, brands, priceMin, priceMax, inStock, freeShipping, sort } = listing
  return {
    category,
    _seller: seller,
    searchValue,
    groups: groups.join(',') || undefined,
    brand: brands.join(',') || undefined,
    priceMin: priceMin?.toString(),
    priceMax: priceMax?.toString(),
    inStock: inStock ? 'true' : undefined,
    freeShipping: freeShipping ? 'true' : undefined,
    sort,
  }
}

/** The address of a listing; the first page and unset parts are omitted. */
export function listingHref(listing: Partial<ListingState>): string {
  const full = { ...ALL, ...listing }
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(listingQuery(full))) if (value) params.set(name, value)
  if (full.page > 1) params.set('page', String(full.page))
  const query = params.toString()
  return query ? `/shop/products?${query}` : '/shop/products'
}

/** Number of active filters, without category and search term. */
export const activeFilterCount = ({
  seller,
  brands,
  groups,
  priceMin,
  priceMax,
  inStock,
  freeShipping,
}: ListingState): number =>
  (seller ? 1 : 0) +
  brands.length +
  groups.length +
  (priceMin !== undefined || priceMax !== undefined ? 1 : 0) +
  (inStock ? 1 : 0) +
  (freeShipping ? 1 : 0)

/** Toggles a value of a list. */
export const toggle = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one]
