// The cart: lines by seller with the seller's fares, the selection to order, and its price.
import { ShoppingBag } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { type ApiError, toApiError } from '../../api/errors'
import type { Preview } from '../../api/types'
import { type Checkout, startCheckout } from '../../features/orders/checkoutSession'
import { farePartsText } from '../../features/orders/fareBreakdown'
import { fareOf } from '../../features/orders/fares'
import { usePreview } from '../../features/orders/usePreview'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { useMobile } from '../../lib/media'
import { isTexts, sessionItem } from '../../lib/storage'
import { Button, ButtonLink } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { confirmDialog } from '../../ui/confirm'
import { Fare, Money } from '../../ui/Money'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { CartLineRow } from './CartLineRow'
import { buyable, type CartItem, faresOf, groupBySeller, missingForFree, type SellerGroup, unplacedOf } from './items'
import type { Cart } from './useCart'

/** The page around a cart. */
export const CartPage = ({ children }: { children: ReactNode }) => (
  <main id="content" className="shell py-8 max-md:pb-40 md:py-12">
    <h1 className="font-extrabold text-3xl">{ko.chrome.cart}</h1>
    {children}
  </main>
)

/** Layout of the sum: beside the lines; in the member area only on wider windows. */
/** How long a removed line can be brought back. */
const UNDO_MS = 8000

const ROOMS = {
  whole: 'md:grid-cols-[1fr_22rem] md:gap-10',
  beside: 'md:gap-8 lg:grid-cols-[1fr_20rem]',
} as const

type CartContentsProps = {
  cart: Cart
  /** The items for the checkout and the price preview. */
  basketOf: (chosen: readonly CartItem[]) => Checkout
  note?: ReactNode
  room?: keyof typeof ROOMS
}

export function CartContents({ cart, basketOf, note, room = 'whole' }: CartContentsProps) {
  const { items, error, retry } = cart
  return (
    <>
      {note}
      {error && !items ? (
        <ErrorState error={error} onRetry={retry} />
      ) : !items ? (
        <Loading className="mt-8 grid gap-4">
          <Skeleton className="h-32 rounded-lg" />
          <Skeleton className="h-32 rounded-lg" />
        </Loading>
      ) : items.length === 0 ? (
        <EmptyState
          icon={<ShoppingBag />}
          title="장바구니가 비어 있습니다"
          text="마음에 드는 상품을 담아 보세요."
          action={<ButtonLink to="/shop/products">{ko.chrome.allProducts}</ButtonLink>}
        />
      ) : (
        <CartWithLines cart={cart} items={items} basketOf={basketOf} room={room} />
      )}
    </>
  )
}

function CartWithLines({
  cart,
  items,
  basketOf,
  room,
}: {
  cart: Cart
  items: readonly CartItem[]
  basketOf: CartContentsProps['basketOf']
  room: keyof typeof ROOMS
}) {
  const navigate = useNavigate()
  const [left, setLeft] = useLeft()
  const able = items.filter(buyable)
  const chosen = able.filter((item) => !left.has(item.key))
  const soldOut = items.filter((item) => item.soldOut)
  const basket = basketOf(chosen)
  const preview = usePreview('carts' in basket ? { _carts: basket.carts } : { carts: basket.lines }, {
    enabled: !cart.writing && !cart.reading,
    version: chosen.map((item) => item.wish.quantity).join(),
  })
  const priced = chosen.length > 0 ? preview.data : undefined
  const settling = cart.writing || cart.reading || preview.isFetching

  const tick = (some: readonly CartItem[], on: boolean) => {
    const next = new Set(left)
    for (const { key } of some) on ? next.delete(key) : next.add(key)
    setLeft(next)
  }
  const takeOut = async (some: readonly CartItem[]) => {
    if (
      await confirmDialog({
        title: `${some.length}개 상품을 장바구니에서 삭제할까요?`,
        yes: ko.action.remove,
        danger: true,
      })
    )
      for (const item of some) cart.put(item, 0)
  }

  return (
    <div className={cn('mt-6 md:grid md:items-start', ROOMS[room])}>
      <div>
        <div className="flex items-center justify-between gap-3 border-ink border-b pb-3">
          <Checkbox
            label={`전체 선택 (${chosen.length}/${items.length})`}
            checked={able.length > 0 && chosen.length === able.length}
            indeterminate={chosen.length > 0}
            disabled={able.length === 0}
            onChange={(event) => tick(able, event.target.checked)}
          />
          <span className="-mr-3 flex">
            {soldOut.length > 0 && (
              <Button variant="ghost" size="sm" onClick={() => void takeOut(soldOut)}>
                품절 삭제
              </Button>
            )}
            <Button variant="ghost" size="sm" disabled={chosen.length === 0} onClick={() => void takeOut(chosen)}>
              선택 삭제
            </Button>
          </span>
        </div>
        {groupBySeller(items).map((group) => (
          <Group
            key={group.seller._id}
            group={group}
            cart={cart}
            chosen={chosen}
            onTick={tick}
            preview={priced}
            settling={settling}
          />
        ))}
      </div>
      <Sum
        preview={priced}
        settling={settling}
        count={chosen.length}
        failed={preview.error && !settling ? toApiError(preview.error) : undefined}
        unplaced={unplacedOf(preview.error, chosen)}
        onOrder={() => {
          startCheckout(basket)
          void navigate('/shop/order')
        }}
      />
    </div>
  )
}

const leftHere = sessionItem('jangbu.cart.left', isTexts)

/** Keys of deselected lines, in session storage: returning from the checkout restores the selection. A line
 * added later starts selected. */
function useLeft(): [ReadonlySet<string>, (next: ReadonlySet<string>) => void] {
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(leftHere.read()))
  return [
    left,
    (next) => {
      leftHere.keep([...next])
      setLeft(next)
    },
  ]
}

type GroupProps = {
  group: SellerGroup
  cart: Cart
  chosen: readonly CartItem[]
  onTick: (items: readonly CartItem[], on: boolean) => void
  preview: Preview | undefined
  settling: boolean
}

function Group({ group, cart, chosen, onTick, preview, settling }: GroupProps) {
  const able = group.items.filter(buyable)
  const taken = able.filter((item) => chosen.includes(item))
  const name = group.seller.nickname ?? '판매자'
  const fares = taken.length > 0 ? faresOf(preview?.quote, group.seller._id) : []
  const split = farePartsText(fares)
  const missing = preview && fares.map((fare) => missingForFree(fare, preview.quote, cart.products)).find(Boolean)
  return (
    <section aria-label={name} className="border-line border-b">
      <h2 className="pt-5 font-bold">
        <Checkbox
          label={name}
          checked={able.length > 0 && taken.length === able.length}
          indeterminate={taken.length > 0}
          disabled={able.length === 0}
          onChange={(event) => onTick(able, event.target.checked)}
        />
      </h2>
      <ul className="divide-y divide-line">
        {group.items.map((item) => (
          <CartLineRow
            key={item.key}
            item={item}
            selected={taken.includes(item)}
            onSelected={(on) => onTick([item], on)}
            onQuantity={(quantity) => cart.put(item, quantity)}
            onRemove={() => {
              cart.put(item, 0)
              void toast('장바구니에서 삭제했습니다.', {
                duration: UNDO_MS,
                action: { label: '되돌리기', onClick: () => cart.putBack(item) },
              })
            }}
          />
        ))}
      </ul>
      {(fares.length > 0 || (taken.length > 0 && !preview)) && (
        <p
          aria-busy={settling}
          className={cn(
            'mb-5 flex flex-wrap justify-between gap-x-4 rounded-md bg-sunken px-4 py-3 text-sm transition-opacity',
            settling && 'opacity-50',
          )}
        >
          <span>
            배송비{' '}
            {preview ? (
              <Fare amount={fares.reduce((sum, fare) => sum + fareOf(fare), 0)} className="font-semibold" />
            ) : (
              <span aria-hidden>–</span>
            )}
            {split && <span className="block text-ink-3 text-xs">{split}</span>}
          </span>
          {missing && (
            <span className="text-accent-strong">
              <Money amount={missing} className="font-semibold" /> 더 담으면 무료배송
            </span>
          )}
        </p>
      )}
    </section>
  )
}

type SumProps = {
  preview: Preview | undefined
  settling: boolean
  count: number
  failed: ApiError | undefined
  /** Names of products whose fare is computed at checkout. */
  unplaced: readonly string[]
  onOrder: () => void
}

/** The sum at the side, on a phone in a bar above the menu. Dimmed while the server computes a new one. */
function Sum({ preview, settling, count, failed, unplaced, onOrder }: SumProps) {
  const mobile = useMobile()
  const totals = preview?.quote.totals
  return (
    <aside aria-label="결제예정금액" className="md:sticky md:top-36 md:rounded-lg md:border md:border-line md:p-6">
      <div aria-live="polite" aria-busy={settling} className={cn('transition-opacity', settling && 'opacity-50')}>
        <h2 className="font-bold text-lg max-md:mt-8">주문 금액</h2>
        <dl className="mt-4 grid gap-2.5">
          <Row name="상품금액" amount={totals?.goods} />
          <Row
            name="상품 할인"
            amount={totals && -totals.productDiscount}
            strong={(totals?.productDiscount ?? 0) > 0}
          />
          {totals !== undefined && totals.levelDiscount > 0 && (
            <Row name="회원 등급 할인" amount={-totals.levelDiscount} strong />
          )}
          <Row name="배송비" amount={totals?.fares} fare />
        </dl>
        <p className="mt-4 flex items-baseline justify-between border-line border-t pt-4">
          <span className="font-bold">결제예정금액</span>
          {totals ? <Money amount={totals.payable} className="font-extrabold text-2xl" /> : <span aria-hidden>–</span>}
        </p>
      </div>
      {unplaced.length > 0 ? (
        <p role="status" className="mt-4 rounded-md bg-sunken px-4 py-3 text-ink-2 text-sm">
          거리에 따라 배송비가 정해지는 상품이 있어 주문서에서 위치를 입력하면 금액을 알려 드립니다:{' '}
          {unplaced.join(', ')}
        </p>
      ) : (
        failed && (
          <p role="alert" className="mt-4 rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
            {failed.message}
          </p>
        )
      )}
      <div className="max-md:fixed max-md:inset-x-0 max-md:flex max-md:items-center max-md:gap-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:z-20 max-md:border-line max-md:border-t max-md:bg-paper max-md:px-5 max-md:py-2.5 md:mt-5">
        {mobile && totals && count > 0 && (
          // Repeats the sum that is off screen above; screen readers have read it there.
          <p aria-hidden className={cn('shrink-0 transition-opacity md:hidden', settling && 'opacity-50')}>
            <span className="block text-ink-2 text-xs">결제예정금액</span>
            <Money amount={totals.payable} className="font-extrabold text-lg leading-tight" />
          </p>
        )}
        <Button
          variant="accent"
          size="lg"
          block
          className="min-w-0 max-md:flex-1"
          busy={settling && count > 0}
          disabled={count === 0 || (unplaced.length === 0 && (!totals || failed !== undefined))}
          onClick={onOrder}
        >
          {count === 0 ? '상품을 선택해 주세요' : `${count}개 상품 주문하기`}
        </Button>
      </div>
    </aside>
  )
}

function Row({
  name,
  amount,
  fare = false,
  strong = false,
}: {
  name: string
  amount?: number
  fare?: boolean
  strong?: boolean
}) {
  return (
    <div className="flex justify-between gap-6">
      <dt className="text-ink-2">{name}</dt>
      <dd className={cn(strong && 'text-accent')}>
        {amount === undefined ? (
          <span aria-hidden>–</span>
        ) : fare ? (
          <Fare amount={amount} />
        ) : (
          <Money amount={amount} />
        )}
      </dd>
    </div>
  )
}
