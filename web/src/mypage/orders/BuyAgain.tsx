// Buy again: adds product, option and quantity of a purchase to the cart, if the shop still has them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toApiError } from '../../api/errors'
import { apiQueryOptions } from '../../api/query'
import type { GuestCartLine } from '../../api/session'
import type { ProductDetail, PurchaseRow } from '../../api/types'
import { useAddToCart } from '../../features/cart/useAddToCart'
import { cartWords } from '../../features/cart/words'
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'

const SOLD_OUT = '품절된 상품입니다.'
const tooFew = (left: number) => `재고가 ${left}개만 남아 담지 못했습니다. 상품 페이지에서 수량을 선택해 주세요.`

/** The line to add, or why it cannot be bought. */
function lineOf(product: ProductDetail, { _option, quantity }: PurchaseRow): GuestCartLine | string {
  const offered = product.optionsConf.enabled
  const option = offered ? product.options.find((one) => one._id === _option && one.enabled) : undefined
  if (offered && !option) return cartWords.notSold
  const { soldOut, stock, salePrice } = option ?? product
  if (soldOut) return SOLD_OUT
  if (stock < quantity) return tooFew(stock)
  const note = { name: product.name, optionName: option?.value, thumb: product.thumb.url, unitPrice: salePrice }
  return { _product: product._id, _option: option?._id, quantity, note }
}

export function BuyAgain({ purchase }: { purchase: PurchaseRow }) {
  const queryClient = useQueryClient()
  const { putting, put } = useAddToCart()
  const look = useMutation({
    meta: { suppressToast: true },
    mutationFn: () =>
      queryClient.fetchQuery({
        ...apiQueryOptions('/api/v1/shop/products/{id}', {
          path: { id: purchase._product },
        }),
        // The stock may have changed since the page was loaded.
        staleTime: 0,
      }),
    onSuccess: ({ product }) => {
      const line = lineOf(product, purchase)
      if (typeof line === 'string') void toast(line, { tone: 'error' })
      else put([line])
    },
    onError: (thrown) => {
      const { alerted, status, told } = toApiError(thrown)
      if (!alerted) void toast(status === 404 ? cartWords.notSold : told, { tone: 'error' })
    },
  })
  return (
    <Button
      size="sm"
      variant="outline"
      busy={look.isPending || putting}
      aria-label={`${purchase.name} 재구매`}
      onClick={() => look.mutate()}
    >
      재구매
    </Button>
  )
}
