// Likes. A product's data contains whether the member likes it; a click in this tab overrides that for every like button of the product,
// and is rolled back when the server refuses it (spec V120, V157, V158).
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { call, paged } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'

export const LIKES = '/api/v1/me/likes'
/** Page size of likes. */
export const LIKES_SIZE = 20

/** Overrides by product id: clicks in this tab. */
const useHearts = create<Record<string, boolean | undefined>>()(() => ({}))

// Overrides belong to one member.
useSession.subscribe((now, before) => {
  if (now.payload?._user !== before.payload?._user) useHearts.setState({}, true)
})

/** A page of the products the member likes, newest first. */
export const useLikes = (page: number) =>
  useApiQuery(LIKES, { headers: paged(page, LIKES_SIZE) }, { retry: false, placeholderData: keepPreviousData })

/** The fields of a product that a like button needs. */
export type Likeable = { _id: string; meta: { liked: boolean } }

/** Whether the member likes this product, and the toggle. */
export function useLike({ _id, meta }: Likeable) {
  const queryClient = useQueryClient()
  const pressed = useHearts((hearts) => hearts[_id])
  const liked = pressed ?? meta.liked
  const toggle = useMutation({
    scope: { id: 'likes' },
    mutationFn: () => call('POST', LIKES, { body: { _product: _id } }),
    onMutate: () => {
      useHearts.setState({ [_id]: !liked })
      return pressed
    },
    // The server's response takes precedence, as another window may have changed it.
    onSuccess: ({ like }) => useHearts.setState({ [_id]: !!like }),
    onError: (_error, _nothing, before) => useHearts.setState({ [_id]: before }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiQueryKey(LIKES).slice(0, 2) }),
  })
  return {
    liked,
    toggle: () => {
      if (!toggle.isPending) toggle.mutate()
    },
  }
}
