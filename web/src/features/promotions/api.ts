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

/** Milliseconds between looks at a raffle that is over and not drawn yet. */
const UNTIL_DRAWN = 3_000
/** Ends later than this are not waited for on an open page. */
const WAITED_FOR = 3_600_000

/** When to look again at an event: its raffle ends while the page is open, and is drawn a moment later. */
export function raffleDueIn(answer: S['ShopEventAnswer'] | undefined, now: number): number | false {
  const endsAt = answer?.event.endsAt
  if (!answer?.raffle || answer.raffle.draw || !endsAt) return false
  const left = Date.parse(endsAt) - now
  if (left > WAITED_FOR) return false
  return Math.max(left, 0) + UNTIL_DRAWN
}

export const useEvent = (id?: string) =>
  useApiQuery(
    '/api/v1/shop/events/{id}',
    { path: { id: id ?? '' } },
    {
      ...CALM,
      enabled: id !== undefined,
      refetchInterval: ({ state }) => raffleDueIn(state.data, Date.now()),
    },
  )

export const useExhibition = (id?: string) =>
  useApiQuery('/api/v1/shop/exhibitions/{id}', { path: { id: id ?? '' } }, { ...CALM, enabled: id !== undefined })

export const useTagEvent = (id: string) => useApiQuery('/api/v1/shop/tag-events/{id}', { path: { id } }, CALM)
