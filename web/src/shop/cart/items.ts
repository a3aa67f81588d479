// The cart as shown on screen, whether stored on the server (members) or in this browser (guests).
import { toApiError } from '../../api/errors'
import type { GuestCartLine } from '../../api/session'
import type { CartLine, LineWish, ProductDetail, Quote, QuoteFare, Seller } from '../../api/types'
import { freeFrom } from '../../features/orders/fares'

export type CartItem = {
  /** The server's id of the line, or product and option of a guest's. */
  key: string
  wish: LineWish
  name: string
  optionName?: string
  thumb?: string
  seller: Seller
  /** Price of a piece before and after its product's discount, hundredths. */
  price: number
  salePrice: number
  stock: number
  soldOut: boolean
}

export const memberItem = (line: CartLine): CartItem => ({
  key: line._id,
  wish: { _product: line._product, _option: line._option ?? undefined, quantity: line.quantity },
  name: line.product?.name ?? '더 이상 판매하지 않는 상품',
  optionName: line.option?.value,
  thumb: line.product?.thumb.url,
  seller: line.product?.seller ?? { _id: '', nickname: '판매 종료' },
  price: line.product ? line.product.price + (line.option?.price ?? 0) : line.salePrice,
  salePrice: line.salePrice,
  stock: line.stock,
  soldOut: line.soldOut || !line.product,
})

/** A guest's line; until its product is loaded it shows the note stored when it was added. */
export function guestItem(line: GuestCartLine, product: ProductDetail | undefined): CartItem {
  const { note, ...wish } = line
  const option = product?.options.find((one) => one._id === line._option)
  const stock = option?.stock ?? product?.stock ?? line.quantity
  const salePrice = option?.salePrice ?? product?.salePrice ?? note?.unitPrice ?? 0
  return {
    key: guestKey(line),
    wish,
    name: product?.name ?? note?.name ?? '상품',
    optionName: option?.value ?? note?.optionName,
    thumb: product?.thumb.url ?? note?.thumb,
    seller: product?.seller ?? { _id: '' },
    price: product ? product.price + (option?.price ?? 0) : salePrice,
    salePrice,
    stock,
    soldOut: product !== undefined && (option?.soldOut ?? product.soldOut),
  }
}

export const guestKey = ({ _product, _option = '' }: Pick<GuestCartLine, '_product' | '_option'>): string =>
  `${_product}/${_option}`

/** Whether it can currently be ordered. */
export const buyable = ({ soldOut, stock, wish }: CartItem): boolean => !soldOut && wish.quantity <= stock

export type SellerGroup = { seller: Seller; items: CartItem[] }

/** By seller, in order of first appearance. */
export function groupBySeller(items: readonly CartItem[]): SellerGroup[] {
  const groups = new Map<string, SellerGroup>()
  for (const item of items) {
    const group = groups.get(item.seller._id) ?? { seller: item.seller, items: [] }
    group.items.push(item)
    groups.set(item.seller._id, group)
  }
  return [...groups.values()]
}

/** The fares of a seller's selected lines. */
export const faresOf = (quote: Quote | undefined, seller: string): QuoteFare[] =>
  quote?.fares.filter((fare) => fare._seller === seller) ?? []

/** The amount missing for free delivery of a parcel; undefined when there is none. Based on the price after discounts, before coupons. */
export function missingForFree(
  fare: QuoteFare,
  quote: Quote,
  products: ReadonlyMap<string, ProductDetail>,
): number | undefined {
  if (fare.chargeType !== 'price-range' || fare.fare === 0) return undefined
  const inside = quote.purchases.filter((line) => fare.purchaseNos.includes(line.purchaseNo))
  const goods = inside.reduce(
    (sum, line) => sum + line.unitPrice * line.quantity - line.productDiscount - line.levelDiscount,
    0,
  )
  const option = inside
    .flatMap((line) => products.get(line._product)?.shipping?.options ?? [])
    .find((one) => one.name === fare.name && one.chargeType === 'price-range')
  const from = option && freeFrom(option)
  return from !== undefined && from > goods ? from - goods : undefined
}

/** Names of the selected products with a fare by distance: only the checkout asks for the position (spec V168). */
export function unplacedOf(refused: unknown, chosen: readonly CartItem[]): string[] {
  const error = refused ? toApiError(refused) : undefined
  if (!error?.field('receiver.geolocation')) return []
  const { purchaseNos } = error.details as { purchaseNos: readonly string[] }
  return purchaseNos.flatMap((no) => chosen[Number(no) - 1]?.name ?? [])
}
