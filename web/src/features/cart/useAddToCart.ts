// Adds products to the cart: a guest's in this browser, a member's on the server, which may refuse some of them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { type GuestCartLine, useLoggedIn } from '../../api/session'
import { toast } from '../../ui/toast'
import { CARTS, invalidateCart } from './api'
import { addToGuestCart } from './guestCart'
import { cartWords } from './words'

/** `put` shows success or the refusal as a toast; `onDone` is called on success. */
export function useAddToCart(onDone?: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const loggedIn = useLoggedIn()
  const put = useMutation({
    meta: { suppressToast: true },
    scope: { id: 'cart' },
    mutationFn: async (lines: readonly GuestCartLine[]) => {
      for (const { note, ...line } of lines)
        if (loggedIn) await call('POST', CARTS, { body: line })
        else addToGuestCart({ ...line, note })
    },
    onSuccess: () => {
      onDone?.()
      void toast(cartWords.added, {
        tone: 'success',
        action: { label: cartWords.look, onClick: () => void navigate(loggedIn ? '/cart' : '/shop/cart') },
      })
    },
    onError: (thrown) => {
      const { alerted, status, told } = toApiError(thrown)
      if (!alerted) void toast(status === 404 ? cartWords.notSold : told, { tone: 'error' })
    },
    // Lines added before a refused one stay in the cart.
    onSettled: () => invalidateCart(queryClient),
  })
  return { putting: put.isPending, put: put.mutate }
}
