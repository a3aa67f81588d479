// Recently viewed products: of a guest in this browser, of a member on the server (spec V091, V214, V255). The wire calls them watches.

import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { create } from 'zustand'
import { call } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { forgetWatches, type RecentProduct, rememberWatch, useLoggedIn, useSession } from '../../api/session'
import type { ProductCard } from '../../api/types'

export const WATCHES = '/api/v1/me/watches'

type Watch = components['schemas']['Watches']['watches'][number]

const shown = ({ product }: Watch): RecentProduct => ({
  _product: product._id,
  name: product.name,
  thumb: product.thumb.url,
})

/** Writes under way. */
const useWrites = create(() => 0)

/** Newest first. */
export function useRecents(): {
  recents: readonly RecentProduct[]
  products: readonly ProductCard[]
  waiting: boolean
} {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.watches)
  const isWriting = useWrites() > 0
  const { data, isPending } = useApiQuery(
    WATCHES,
    { headers: { limit: '40' } },
    { enabled: loggedIn && !isWriting, retry: false },
  )
  if (!loggedIn) return { recents: local, products: [], waiting: false }
  const watches = data?.watches ?? []
  return {
    recents: watches.map(shown),
    products: watches.map(({ product }) => product),
    waiting: isPending,
  }
}

/** Reads wait for the write and are sent once after it. */
export function useRememberRecent(): (product: RecentProduct) => void {
  const loggedIn = useLoggedIn()
  const queryClient = useQueryClient()
  return useCallback(
    (product) => {
      if (!loggedIn) return rememberWatch(product)
      const queryKey = apiQueryKey(WATCHES).slice(0, 2)
      const count = (by: number) => useWrites.setState((writes) => writes + by, true)
      count(1)
      void queryClient.cancelQueries({ queryKey })
      void call('POST', WATCHES, { body: { _product: product._product } })
        .then(
          () => void queryClient.invalidateQueries({ queryKey }),
          () => undefined,
        )
        .finally(() => count(-1))
    },
    [loggedIn, queryClient],
  )
}

export function useForgetRecents(): () => Promise<void> {
  const loggedIn = useLoggedIn()
  const queryClient = useQueryClient()
  return useCallback(async () => {
    if (!loggedIn) return forgetWatches()
    await call('DELETE', WATCHES)
    await queryClient.invalidateQueries({ queryKey: apiQueryKey(WATCHES).slice(0, 2) })
  }, [loggedIn, queryClient])
}
