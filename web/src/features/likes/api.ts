// Likes. A product says whether the member likes it; a click in this tab overrides that for every like button of the product, at once,
// and is rolled back when the server refuses it (spec V120, V157, V158).
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { call, paged } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'

export const LIKES = '/api/v1/me/likes'
/** Likes on a page. */
export const LIKES_SIZE = 20

/** Overrides by product id: clicks in this tab. */
const useHearts = create<Record<string, boolean | undefined>>()(() => ({}))

// Overrides belong to one member.
useSession.subscribe((now, before) => {
  if (now.payload?._user !== before.payload?._user) useHearts.setState({}, true)
})

/** A page of what the member likes, newest first. */
export const useLikes = (page: number) =>
  useApiQuery(LIKES, { headers: paged(page, LIKES_SIZE) }, { retry: false, placeholderData: keepPreviousData })

/** A product as far as its heart is concerned. */
export type Likeable = { _id: string; meta: { liked: boolean } }

/** Does the member like this product, and the switch for it. */
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
    // The server's answer wins, as another window may have been faster.
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
