// Putting choices into the cart, or buying them at once.
import { useNavigate } from 'react-router'
import type { LineWish, ProductDetail } from '../../api/types'
import { useAddToCart } from '../../features/cart/useAddToCart'
import { startCheckout } from '../../features/orders/checkoutSession'
import { type OptionChoice, unitPriceOf } from './options'

const wishes = (product: ProductDetail, chosen: readonly OptionChoice[]): LineWish[] =>
  chosen.map(({ option, quantity }) => ({ _product: product._id, _option: option?._id, quantity }))

/** `toCart` keeps one on the page, `buyNow` goes to the order sheet. `onDone` hears that it is in the cart. */
export function usePurchase(product: ProductDetail, onDone: () => void) {
  const navigate = useNavigate()
  const { putting, put } = useAddToCart(onDone)
  return {
    adding: putting,
    toCart: (chosen: readonly OptionChoice[]) =>
      put(
        chosen.map((one) => ({
          _product: product._id,
          _option: one.option?._id,
          quantity: one.quantity,
          note: {
            name: product.name,
            optionName: one.option?.value,
            thumb: product.thumb.url,
            unitPrice: unitPriceOf(product, one),
          },
        })),
      ),
    buyNow: (chosen: readonly OptionChoice[]) => {
      startCheckout({ lines: wishes(product, chosen) })
      void navigate('/shop/order')
    },
  }
}
