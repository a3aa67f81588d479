// One purchase of an order: its item, state, and allowed actions.

import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { OrderCard, PurchaseRow } from '../../api/types'
import { claimHref } from '../../features/claims/claimHrefs'
import { claimWords } from '../../features/claims/words'
import { WRITABLE } from '../../features/reviews/api'
import { useCourierName } from '../../features/settings/api'
import { StatusBadge } from '../../ui/Badge'
import { buttonClass } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { Actions } from './actions'
import { BuyAgain } from './BuyAgain'

/** Delivered or canceled purchases can be bought again. */
const OVER: readonly string[] = ['DELIVERY_COMPLETE', 'ORDER_CANCELED']
const MOST = 100

/** The goods are back, and the replacement waits for the buyer's payment. */
const owesFee = ({ claim, collectionStatus }: PurchaseRow): boolean =>
  Boolean(claim?.feeDue) && collectionStatus === 'COLLECTION_COMPLETE'

/** Whether a replacement was sent: its parcel, tracked at the exchange, is not the purchase's own. */
const isReplaced = ({ claimStatus }: PurchaseRow): boolean =>
  claimStatus === 'EXCHANGE_SHIPPING' || claimStatus === 'EXCHANGE_COMPLETED'

/** Whether a purchase lacks a review. Each can have one, once it is confirmed. */
function useReviewable({ purchaseNo, purchaseStatus }: PurchaseRow): boolean {
  const enabled = useLoggedIn() && purchaseStatus === 'PURCHASE_COMPLETE'
  const { data } = useApiQuery(WRITABLE, { headers: paged(1, MOST) }, { enabled, retry: false })
  return enabled && data?.purchases.some((one) => one.purchaseNo === purchaseNo) === true
}

type PurchaseCardProps = {
  order: Pick<OrderCard, '_id' | 'status' | 'paymentMethod' | 'nextActions' | 'purchases'>
  purchase: PurchaseRow
  onDone?: () => void
}

export function PurchaseCard({ order, purchase, onDone }: PurchaseCardProps) {
  const courierName = useCourierName()
  const reviewable = useReviewable(purchase)
  const goods = purchase.unitPrice * purchase.quantity
  return (
    <li className="py-5 first:pt-0 last:pb-0 md:flex md:items-end md:gap-4">
      <div className="flex min-w-0 flex-1 gap-4">
        <Link to={`/shop/products/${purchase._product}`} className="w-20 shrink-0 self-start rounded-lg md:w-24">
          <Picture src={purchase.thumb} alt="" sizes="96px" />
          <span className="sr-only">{purchase.name} 상품 보기</span>
        </Link>
        <div className="min-w-0 flex-1">
          <StatusBadge
            statusText={purchase.statusText}
            orderStatus={purchase.orderStatus}
            claimStatus={purchase.claimStatus}
            purchaseStatus={purchase.purchaseStatus}
          />
          <p className="mt-1.5 font-medium leading-snug">{purchase.name}</p>
          <p className="mt-0.5 text-ink-3 text-sm">
            {[purchase.optionName, `${purchase.quantity}개`, purchase.seller.nickname].filter(Boolean).join(' · ')}
          </p>
          <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
            <Money amount={purchase.paid} className="font-bold" />
            {purchase.paid < goods && (
              <s className="text-ink-3 text-sm">
                <span className="sr-only">상품금액 </span>
                <Money amount={goods} />
              </s>
            )}
          </p>
          {purchase.invoiceNo && !isReplaced(purchase) && (
            <p className="figures mt-1 text-ink-3 text-sm">
              {[purchase.courier && courierName(purchase.courier), purchase.invoiceNo].filter(Boolean).join(' ')}
            </p>
          )}
          {purchase.confirmOn && purchase.purchaseStatus === 'PURCHASE_SCHEDULE' && (
            <p className="figures mt-1 text-ink-3 text-sm">
              {purchase.confirmOn.replaceAll('-', '. ')}. 자동 구매확정 예정
            </p>
          )}
          {purchase.claim && (
            <p className="mt-1 text-ink-3 text-sm">
              {/* Also shown after a refusal: the buyer's reason. */}
              {claimWords.kind[purchase.claim.kind]} 사유: {purchase.claim.reason}
              {purchase.claim.rejection && (
                <span className="block text-ink-2">거부 사유: {purchase.claim.rejection}</span>
              )}
              {owesFee(purchase) && <span className="block text-warning">교환 비용 결제를 기다리고 있습니다.</span>}
            </p>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden md:mt-0 md:justify-end">
        {purchase.trackingUrl && !isReplaced(purchase) && (
          <a
            href={purchase.trackingUrl}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'outline', size: 'sm' })}
          >
            배송조회
          </a>
        )}
        {purchase.claim && (
          <Link to={claimHref(order._id, purchase.claim)} className={buttonClass({ variant: 'outline', size: 'sm' })}>
            {claimWords.kind[purchase.claim.kind]} 상세
          </Link>
        )}
        {reviewable && (
          <Link
            to={`/mypage/reviews-input?purchase=${encodeURIComponent(purchase.purchaseNo)}`}
            className={buttonClass({ variant: 'outline', size: 'sm' })}
          >
            후기 쓰기
          </Link>
        )}
        {OVER.includes(purchase.orderStatus) && <BuyAgain purchase={purchase} />}
        <Actions order={order} purchase={purchase} onDone={onDone} />
      </div>
    </li>
  )
}
