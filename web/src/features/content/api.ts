// Content that staff manage: banners, popups, advertisements, brands, displays, showrooms and bestsellers.
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import type { components } from '../../api/schema.gen'

type S = components['schemas']

export type Banner = NonNullable<S['BannerAnswer']['banner']>
/** A slide of a banner; `isOuterLink` or `_blank` opens a new window. */
export type Slide = NonNullable<Banner['slides']>[number]
export type Advertisement = S['Advertisements']['bannerAdvertisements'][number]
/** A popup over the home page, `left`, `top`, `width`, `height` in pixels. */
export type Popup = S['Popups']['popups'][number]
export type Brand = S['Brands']['brands'][number]
/** A named list of products; `items` for lists of texts. */
export type Display = S['Displays']['displays'][number]
export type DisplayItem = NonNullable<Display['items']>[number]
export type Showroom = S['ShowroomAnswer']['showroom']

const CALM = { staleTime: 300_000, retry: false } as const
/** A failure shows a toast, and the page renders without it (spec V217). */
const TOLD = { ...CALM, meta: TOAST_ON_ERROR } as const

/** Screens below 1024 px get their own banner (spec V070, V260). */
export type Device = 'PC' | 'MOBILE'

/** One of the main banners or the recipe banner. */
export const useBanner = (code: 'MAIN_1' | 'MAIN_2' | 'RECIPE', device: Device) =>
  useApiQuery('/api/v1/banners/{code}', { path: { code }, query: { device } }, TOLD)

const ADVERTISEMENTS = 4

/** The home page's advertisements (spec V210, V271); the OpenAPI document lacks `isDeleted`. */
export const useAdvertisements = () =>
  useApiQuery(
    '/api/v1/bannerAdvertisements',
    { query: { isDeleted: false } as object, headers: { limit: String(ADVERTISEMENTS) } },
    TOLD,
  )

export const usePopups = () => useApiQuery('/api/v1/popups', {}, CALM)

/** Logs a click on a popup or slide (spec V071, V208). The request survives the navigation; best effort, failures are ignored. */
export const logBanner = (subject: { _popup: string } | { _slide: string } | { _tagBanner: string }): Promise<void> =>
  call('POST', '/api/v1/bannerLogs', { body: subject, keepalive: true }).then(
    () => undefined,
    () => undefined,
  )

/** All brands, or those of one code or one letter; the server returns all of them. */
export const useBrands = (query: { code?: string; chars?: string } = {}) =>
  useApiQuery('/api/v1/shop/brands', { query }, CALM)

/** A display by its code; undefined while loading, or if there is none. */
export function useDisplay(code: string): UseQueryResult<S['Displays']> & { display?: Display } {
  const query = useApiQuery('/api/v1/shop/displays', { query: { code } }, CALM)
  return { ...query, display: query.data?.displays.find((one) => one.code === code) }
}

/** The bestsellers in order, of all or of one category. */
export const useBests = (category?: string) =>
  useApiQuery('/api/v1/shop/bests', { query: { category } }, { ...CALM, placeholderData: keepPreviousData })

export const useShowrooms = () => useApiQuery('/api/v1/shop/showrooms', { headers: { limit: '100' } }, CALM)

export const useShowroom = (id: string) => useApiQuery('/api/v1/shop/showrooms/{id}', { path: { id } }, CALM)
