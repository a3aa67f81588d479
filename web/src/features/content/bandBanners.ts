// The band banners above the header.
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'

export type BandBanner = components['schemas']['BandBanners']['bandBanners'][number]

/** Their errors are ignored (spec V211, V218). */
export const useBandBanners = () =>
  useApiQuery('/api/v1/bandBanners', { query: { code: 'main' } }, { staleTime: 300_000, retry: false })
