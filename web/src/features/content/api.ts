// Content that staff manage: banners, popups, advertisements, brands, displays, showrooms and bestsellers.
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import type { PictureRef, ProductCard, Summary } from '../../api/types'

/** A slide of a banner; `isOuterLink` or `_blank` opens a new window. */
export type Slide = {
  _id: string
  image: PictureRef
  url?: string | null
  isOuterLink?: boolean
  target?: '_self' | '_blank' | null
  meta?: { title?: string | null; description?: string | null; tag?: string | null } | null
}
export type Banner = { _id: string; code: string; name: string; url?: string | null; slides: Slide[] }
export type BandBanner = {
  _id: string
  code: string
  name: string
  content: string
  url?: string | null
  color?: string | null
}
export type Advertisement = {
  _id: string
  name: string
  image: PictureRef
  url?: string | null
  target?: string | null
  index?: number
}
/** A window over the home page, `left`, `top`, `width`, `height` in pixels. */
export type Popup = {
  _id: string
  name?: string | null
  content: string
  image?: PictureRef | null
  url?: string | null
  left?: number | null
  top?: number | null
  width?: number | null
  height?: number | null
}
export type Brand = {
  _id: string
  code: string
  name: string
  nameEn?: string | null
  /** 초성 or the Latin capital it is filed under. */
  initial?: string | null
  label?: { url?: string | null } | null
  desc?: string | null
  categories?: string[]
  productCount?: number
}
export type DisplayItem = { title: string; content: string; image?: PictureRef | null }
/** A named shelf of products; `items` where it shows texts instead (the merits). */
export type Display = {
  _id: string
  code: string
  name: string
  items?: DisplayItem[] | null
  products?: ProductCard[] | null
}
export type Showroom = {
  _id: string
  code: string
  name: string
  desc?: string | null
  image?: PictureRef | null
  products?: ProductCard[] | null
}
const CALM = { staleTime: 300_000, retry: false } as const
/** A failure shows a toast, and the page renders without it (spec V217). */
const TOLD = { ...CALM, meta: TOAST_ON_ERROR } as const

/** A screen below 1024 px gets the banner made for it (spec V070, V260). */
export type Device = 'PC' | 'MOBILE'

/** One of the main banners or the recipes'. */
export const useBanner = (code: 'MAIN_1' | 'MAIN_2' | 'RECIPE', device: Device) =>
  useApiQuery<{ banner: Banner | null }>('/api/v1/banners/{code}', { path: { code }, query: { device } }, TOLD)

/** The lines over the header; their errors are ignored (spec V211, V218). */
export const useBandBanners = () =>
  useApiQuery<{ bandBanners: BandBanner[] }>('/api/v1/bandBanners', { query: { code: 'main' } }, CALM)

const ADVERTISEMENTS = 4

/** The home page's advertisements (spec V210, V271). */
export const useAdvertisements = () =>
  useApiQuery<{ bannerAdvertisements: Advertisement[] }>(
    '/api/v1/bannerAdvertisements',
    { query: { isDeleted: false }, headers: { limit: String(ADVERTISEMENTS) } },
    TOLD,
  )

export const usePopups = () => useApiQuery<{ popups: Popup[] }>('/api/v1/popups', {}, CALM)

/** Logs a click on a popup or slide (spec V071, V208). The request survives the navigation; best effort, failures are ignored. */
export const logBanner = (subject: { _popup: string } | { _slide: string } | { _tagBanner: string }): Promise<void> =>
  call<unknown>('POST', '/api/v1/bannerLogs', { body: subject, keepalive: true }).then(
    () => undefined,
    () => undefined,
  )

/** All brands, or those of one code or one letter; the server tells them all. */
export const useBrands = (query: { code?: string; chars?: string } = {}) =>
  useApiQuery<{ summary?: Summary; brands: Brand[] }>('/api/v1/shop/brands', { query }, CALM)

/** A display by its code; undefined while it is read, null where there is none. */
export function useDisplay(code: string): UseQueryResult<{ displays: Display[] }> & { display?: Display } {
  const query = useApiQuery<{ displays: Display[] }>('/api/v1/shop/displays', { query: { code } }, CALM)
  return { ...query, display: query.data?.displays.find((one) => one.code === code) }
}

/** What sells best, in order, of all or of one category. */
export const useBests = (category?: string) =>
  useApiQuery<{ products: (ProductCard & { rank?: number })[] }>(
    '/api/v1/shop/bests',
    { query: { category } },
    { ...CALM, placeholderData: keepPreviousData },
  )

export const useShowrooms = () =>
  useApiQuery<{ summary?: Summary; showrooms: Showroom[] }>(
    '/api/v1/shop/showrooms',
    { headers: { limit: '100' } },
    CALM,
  )

export const useShowroom = (id: string) =>
  useApiQuery<{ showroom: Showroom }>('/api/v1/shop/showrooms/{id}', { path: { id } }, CALM)
