// Recently viewed products: a guest's in this browser, a member's on the server (spec V091, V214, V255). The wire calls them watches.

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useLayoutEffect } from 'react'
import { create } from 'zustand'
import { call } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { forgetWatches, type RecentProduct, rememberWatch, useLoggedIn, useSession } from '../../api/session'
import type { ProductCard } from '../../api/types'

export const WATCHES = '/api/v1/me/watches'

const NEWEST = { headers: { limit: '40' } }

type Watch = components['schemas']['Watches']['watches'][number]

const shown = ({ product }: Watch): RecentProduct => ({
  _product: product._id,
  name: product.name,
  thumb: product.thumb.url,
})

/** Writes in flight, and those about to begin. */
const useWrites = create(() => 0)
const countWrites = (by: number) => useWrites.setState((writes) => writes + by, true)

/** Newest first. */
export function useRecents(): {
  recents: readonly RecentProduct[]
  products: readonly ProductCard[]
  waiting: boolean
} {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.watches)
  const isWriting = useWrites() > 0
  const { data, isPending } = useApiQuery(WATCHES, NEWEST, { enabled: loggedIn && !isWriting, retry: false })
  if (!loggedIn) return { recents: local, products: [], waiting: false }
  const watches = data?.watches ?? []
  return {
    recents: watches.map(shown),
    products: watches.map(({ product }) => product),
    waiting: isPending,
  }
}

/**
 * Adds the product of the open page. Reads wait for that from the time the page is mounted, even while its product is still
 * loading (`isPending`), and are sent once after it.
 */
export function useRememberRecent(product: RecentProduct | undefined, isPending: boolean): void {
  const loggedIn = useLoggedIn()
  const queryClient = useQueryClient()
  const { _product, name, thumb } = product ?? {}
  // One layout effect for both: no read can begin between them.
  useLayoutEffect(() => {
    if (!_product || !name) {
      if (!loggedIn || !isPending) return
      countWrites(1)
      return () => countWrites(-1)
    }
    if (!loggedIn) return rememberWatch({ _product, name, thumb })
    const queryKey = apiQueryKey(WATCHES).slice(0, 2)
    countWrites(1)
    void queryClient.cancelQueries({ queryKey })
    void call('POST', WATCHES, { ...NEWEST, body: { _product } })
      .then(
        (answer) => queryClient.setQueryData(apiQueryKey(WATCHES, NEWEST), answer),
        () => undefined,
      )
      .finally(() => countWrites(-1))
  }, [_product, name, thumb, isPending, loggedIn, queryClient])
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
