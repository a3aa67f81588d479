// Events, exhibitions and tag events of the shop; whether one is over is the server's answer.
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'

type S = components['schemas']

export type PromotionCard = S['PromotionCard']
export type Promotion = S['PromotionView']

const CALM = { staleTime: 60_000, retry: false } as const
const MOST = { limit: '100' }

type State = 'ONGOING' | 'ENDED'

export const useEvents = (filter: State, enabled = true) =>
  useApiQuery('/api/v1/shop/events', { query: { filter }, headers: MOST }, { ...CALM, enabled })

export const useExhibitions = (enabled = true) =>
  useApiQuery('/api/v1/shop/exhibitions', { headers: MOST }, { ...CALM, enabled })

export const useTagEvents = () => useApiQuery('/api/v1/shop/tag-events', { query: { filter: 'ONGOING' } }, CALM)

export const useEvent = (id?: string) =>
  useApiQuery('/api/v1/shop/events/{id}', { path: { id: id ?? '' } }, { ...CALM, enabled: id !== undefined })

export const useExhibition = (id?: string) =>
  useApiQuery('/api/v1/shop/exhibitions/{id}', { path: { id: id ?? '' } }, { ...CALM, enabled: id !== undefined })

export const useTagEvent = (id: string) => useApiQuery('/api/v1/shop/tag-events/{id}', { path: { id } }, CALM)
