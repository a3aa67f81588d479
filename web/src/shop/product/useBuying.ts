// Putting choices into the cart, or buying them at once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { CARTS } from '../../api/cart'
import { call } from '../../api/client'
import { readKey } from '../../api/read'
import { addToGuestCart, useLoggedIn } from '../../api/session'
import type { LineWish, ProductDetail } from '../../api/wire'
import { toast } from '../../ui/toast'
import { fillBasket } from '../order/basket'
import { type Chosen, pieceOf } from './choices'

const wishes = (product: ProductDetail, chosen: readonly Chosen[]): LineWish[] =>
  chosen.map(({ option, quantity }) => ({ _product: product._id, _option: option?._id, quantity }))

/** `toCart` keeps one on the page, `buyNow` goes to the order sheet. `onDone` hears that it is in the cart. */
export function useBuying(product: ProductDetail, onDone: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const loggedIn = useLoggedIn()

  const added = () => {
    onDone()
    void toast('장바구니에 담았습니다.', {
      tone: 'success',
      action: { label: '장바구니 보기', onClick: () => void navigate(loggedIn ? '/cart' : '/shop/cart') },
    })
  }
  const add = useMutation({
    mutationFn: (chosen: readonly Chosen[]) =>
      call('POST', '/api/v1/me/carts', { body: { carts: wishes(product, chosen) } }),
    scope: { id: 'cart' },
    onSuccess: async () => {
      added()
      await queryClient.invalidateQueries({ queryKey: readKey(CARTS).slice(0, 2) })
    },
  })

  return {
    adding: add.isPending,
    toCart: (chosen: readonly Chosen[]) => {
      if (loggedIn) return add.mutate(chosen)
      for (const one of chosen) {
        addToGuestCart({
          _product: product._id,
          _option: one.option?._id,
          quantity: one.quantity,
          note: {
            name: product.name,
            optionName: one.option?.value,
            thumb: product.thumb.url,
            unitPrice: pieceOf(product, one),
          },
        })
      }
      added()
    },
    buyNow: (chosen: readonly Chosen[]) => {
      fillBasket({ lines: wishes(product, chosen) })
      void navigate('/shop/order')
    },
  }
}
