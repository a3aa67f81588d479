// Hearts: what a member likes. Each card says with its product whether its reader likes it; what was pressed since counts for every
// heart of that product. A press shows at once and goes back when the server refuses it (spec V120, V157, V158).
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { call, paged } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'

export const LIKES = '/api/v1/me/likes'
/** Likes on a page. */
export const LIKES_SIZE = 20

/** What was pressed in this tab, by product: is it liked now. */
const useHearts = create<Record<string, boolean | undefined>>()(() => ({}))

// They are one reader's.
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
    // Where another window was quicker, the server's word counts.
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
