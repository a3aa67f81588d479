// Hearts: what a member likes. A like shows at once and goes back when the server refuses it (spec V120, V157, V158).
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, paged } from './client'
import { readKey, useRead } from './read'
import { useLoggedIn } from './session'
import type { ProductCard, Summary } from './wire'

export const LIKES = '/api/v1/me/likes'
const MOST = 100

export type Like = { _id: string; _product: string; product?: ProductCard | null; createdAt?: string }
export type Likes = { summary?: Summary; likes: Like[] }

const ALL = { headers: paged(1, MOST) }
const KEY = readKey(LIKES, ALL)

/** All likes of the member; nothing is asked for a guest. */
export function useLikes() {
  const loggedIn = useLoggedIn()
  return useRead<Likes>(LIKES, ALL, { enabled: loggedIn, retry: false, staleTime: 60_000 })
}

/** Does the member like this product, and the switch for it. */
export function useLike(product: string) {
  const queryClient = useQueryClient()
  const liked = useLikes().data?.likes.find((like) => like._product === product)
  const toggle = useMutation({
    scope: { id: 'likes' },
    mutationFn: (known: Like | undefined) =>
      known
        ? call('DELETE', `${LIKES}/{id}`, { path: { id: known._id } })
        : call('POST', LIKES, { body: { _product: product } }),
    onMutate: async (known) => {
      await queryClient.cancelQueries({ queryKey: KEY })
      const before = queryClient.getQueryData<Likes>(KEY)
      queryClient.setQueryData<Likes>(
        KEY,
        (now) =>
          now && {
            ...now,
            likes: known
              ? now.likes.filter((like) => like._product !== product)
              : [{ _id: `new-${product}`, _product: product }, ...now.likes],
          },
      )
      return before
    },
    onError: (_error, _known, before) => queryClient.setQueryData(KEY, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: readKey(LIKES).slice(0, 2) }),
  })
  return {
    liked: liked !== undefined,
    busy: toggle.isPending,
    toggle: () => {
      // A like whose id is not known yet is still on its way.
      if (!toggle.isPending) toggle.mutate(liked)
    },
  }
}
