// The cart and its changes. A member's quantity is shown at once and sent to the server, one change at a time; sums are never
// estimated: `writing` means that they are outdated.
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey, apiQueryOptions, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import type { Carts, ProductDetail } from '../../api/types'
import { CART_READ, CARTS, invalidateCart } from '../../features/cart/api'
import { addToGuestCart, setGuestQuantity } from '../../features/cart/guestCart'
import { pushCart } from '../../features/login/api'
import { toast } from '../../ui/toast'
import { type CartItem, guestItem, guestKey, memberItem } from './items'

export type Cart = {
  items: CartItem[] | undefined
  /** Products loaded so far, by id. */
  products: ReadonlyMap<string, ProductDetail>
  /** Changes are being sent to the server. */
  writing: boolean
  /** Products that decide which lines can be ordered are still loading. */
  reading: boolean
  error: unknown
  retry: () => void
  /** Sets a quantity; 0 removes the line. */
  put: (item: CartItem, quantity: number) => void
  /** Adds a removed line again. */
  putBack: (item: CartItem) => void
}

function useProducts(ids: readonly string[]): { products: ReadonlyMap<string, ProductDetail>; reading: boolean } {
  return useQueries({
    queries: [...new Set(ids)].map((id) => ({
      ...apiQueryOptions('/api/v1/shop/products/{id}', { path: { id } }),
      retry: false,
    })),
    combine: (results) => ({
      products: new Map(results.flatMap(({ data }) => (data ? [[data.product._id, data.product] as const] : []))),
      reading: results.some(({ isPending }) => isPending),
    }),
  })
}

export function useMemberCart(): Cart {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useApiQuery(CARTS, {}, CART_READ)
  const pending = useRef(new Map<string, number>())
  const running = useRef(false)
  /** Ends when all changes so far are sent. */
  const sent = useRef(Promise.resolve())
  /** The last known state of the server while changes are being sent. */
  const known = useRef<Carts>(undefined)
  const [writing, setWriting] = useState(false)
  const key = apiQueryKey(CARTS)
  useEffect(() => {
    // Lines that were not transferred at login.
    if (useSession.getState().carts.length === 0) return
    void pushCart().then(() => queryClient.invalidateQueries({ queryKey: apiQueryKey(CARTS) }))
  }, [queryClient])

  const write = async () => {
    running.current = true
    setWriting(true)
    try {
      for (let [next] = pending.current; next; [next] = pending.current) {
        const [id, quantity] = next
        pending.current.delete(id)
        await put(id, quantity)
        if (known.current) known.current = withQuantity(known.current, id, quantity)
      }
    } catch (thrown) {
      pending.current.clear()
      // The cart may not be readable either: offline it shows the last known state.
      queryClient.setQueryData<Carts>(key, known.current)
      const failed = toApiError(thrown)
      if (!failed.alerted) void toast(failed.message, { tone: 'error' })
    }
    running.current = false
    await queryClient.invalidateQueries({ queryKey: key })
    if (!running.current) setWriting(false)
  }

  return {
    items: data?.carts.map(memberItem),
    products: useProducts(data?.carts.map((line) => line._product) ?? []).products,
    writing,
    // The server's lines include it.
    reading: false,
    error,
    retry: () => void refetch(),
    put: (item, quantity) => {
      if (!running.current) known.current = data
      pending.current.set(item.key, quantity)
      // A read in flight would restore the old quantity.
      void queryClient.cancelQueries({ queryKey: key })
      queryClient.setQueryData<Carts>(key, (now) => now && withQuantity(now, item.key, quantity))
      if (running.current) return
      sent.current = write()
    },
    putBack: async (item) => {
      await sent.current
      // Its removal failed.
      if (queryClient.getQueryData<Carts>(key)?.carts.some((line) => line._id === item.key)) return
      await call('POST', CARTS, { body: item.wish }).catch((thrown: unknown) => {
        const { alerted, told } = toApiError(thrown)
        if (!alerted) void toast(told, { tone: 'error' })
      })
      await invalidateCart(queryClient)
    },
  }
}

const put = (id: string, quantity: number): Promise<unknown> =>
  quantity > 0
    ? call('PUT', `${CARTS}/{id}`, { path: { id }, body: { quantity } })
    : call('DELETE', `${CARTS}/{id}`, { path: { id } })

const withQuantity = (cart: Carts, id: string, quantity: number): Carts => ({
  ...cart,
  carts: cart.carts.flatMap((line) => (line._id !== id ? [line] : quantity > 0 ? [{ ...line, quantity }] : [])),
})

export function useGuestCart(): Cart {
  const lines = useSession((s) => s.carts)
  const { products, reading } = useProducts(lines.map((line) => line._product))
  return {
    items: lines.map((line) => guestItem(line, products.get(line._product))),
    products,
    writing: false,
    reading,
    error: undefined,
    retry: () => undefined,
    put: (item, quantity) => {
      const line = lines.find((one) => guestKey(one) === item.key)
      if (line) setGuestQuantity(line, quantity)
    },
    // The lines as they were when it was removed.
    putBack: (item) => addToGuestCart(lines.find((one) => guestKey(one) === item.key) ?? item.wish),
  }
}
