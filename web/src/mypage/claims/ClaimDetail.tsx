// One claim of an order: progress, goods, reason, refund or replacement, parcels, and withdrawal.
import { useSearchParams } from 'react-router'
import { guestOrderHeaders } from '../../api/guestOrders'
import type { Claim, ClaimKind, Exchange, OrderDetail, PurchaseRow } from '../../api/types'
import { claimDateFacts } from '../../features/claims/ClaimDates'
import ClaimPictures, { MY_PICTURE } from '../../features/claims/ClaimPictures'
import { differenceFacts } from '../../features/claims/difference'
import { FeePayment } from '../../features/claims/FeePayment'
import { ParcelText } from '../../features/claims/ParcelText'
import { PartyAddress } from '../../features/claims/PartyAddress'
import { RefundFacts } from '../../features/claims/RefundFacts'
import {
  claimStateText,
  claimTone,
  claimWords,
  exchangeCost,
  exchangeCostName,
  feeStateText,
  goodsText,
  isFeeRefunded,
  isOpen,
  purchasesOf,
} from '../../features/claims/words'
import { useOrderHref } from '../../features/orders/useOrder'
import { useSetting } from '../../features/settings/api'
import { Badge } from '../../ui/Badge'
import { Button, ButtonLink } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { Picture } from '../../ui/Picture'
import { Steps } from '../../ui/Steps'
import { EmptyState } from '../../ui/states'
import { OrderPage } from '../orders/OrderPage'
import { useWithdrawClaim } from '../orders/useWithdrawClaim'

/** The page of a claim of one kind, by `?order=` and `?claim=`. */
export function ClaimDetailPage({ kind }: { kind: ClaimKind }) {
  const [params] = useSearchParams()
  const id = params.get('claim')
  return (
    <OrderPage title={`${claimWords.kind[kind]} 상세`}>
      {(order) => {
        const claim = order.claims.find((one) => one.kind === kind && one._id === id)
        return claim ? <ClaimDetail order={order} claim={claim} /> : <UnknownClaim order={order} kind={kind} />
      }}
    </OrderPage>
  )
}

function UnknownClaim({ order, kind }: { order: OrderDetail; kind: ClaimKind }) {
  const orderHref = useOrderHref(order._id)
  return (
    <EmptyState
      title={`${claimWords.kind[kind]} 신청을 찾을 수 없습니다`}
      text="주문 상세에서 이 주문의 신청 내역을 모두 볼 수 있습니다."
      action={<ButtonLink to={orderHref}>주문 상세</ButtonLink>}
    />
  )
}

const STEPS: Record<ClaimKind, readonly string[]> = {
  CANCEL: ['취소 신청', '승인', '환불 완료'],
  RETURN: ['반품 신청', '수거', '상품 확인', '환불 완료'],
  EXCHANGE: ['교환 신청', '수거', '상품 확인', '새 상품 배송', '교환 완료'],
}

/** The step of a return or exchange at which its goods were inspected. */
const CHECKED = 2

/** Index of the step a claim has reached; undefined for one that ended without a refund or replacement. */
export function stepOf({ kind, state, exchange }: Claim, purchases: readonly PurchaseRow[]): number | undefined {
  if (state === 'REJECTED' || state === 'WITHDRAWN') return undefined
  if (state === 'COMPLETED') return STEPS[kind].length - 1
  if (kind === 'CANCEL') return state === 'APPROVED' ? 1 : 0
  if (exchange?.invoice) return 3
  const at = purchases[0]?.collectionStatus
  if (state === 'APPROVED' || at === 'COLLECTION_COMPLETE') return 2
  return at === 'COLLECTION_PROGRESS' ? 1 : 0
}

/** The next step of an exchange. */
function nextOfExchange(exchange: Exchange, state: Claim['state'], step: number | undefined): string {
  if (state === 'REQUESTED')
    return '받은 그대로 포장해 두세요. 판매자가 승인하면 수거하고, 상품을 확인한 뒤 새 상품을 보내 드립니다.'
  if (step === 0) return '교환이 승인되었습니다. 받은 그대로 포장해 두세요. 판매자가 상품을 수거합니다.'
  if (step === 1) return '상품을 수거했습니다. 도착하면 확인한 뒤 새 상품을 보내 드립니다.'
  if (step === 3) return '새 상품을 보냈습니다.'
  return exchangeCost(exchange) > 0 && !exchange.feePaid
    ? `상품을 확인했습니다. ${exchange.price > 0 ? '교환 비용이' : '교환 배송비가'} 결제되면 새 상품을 보내 드립니다.`
    : '상품을 확인했습니다. 준비되는 대로 새 상품을 보내 드립니다.'
}

/** The next step. */
function nextText({ kind, state, exchange }: Claim, step: number | undefined): string | undefined {
  if (state === 'APPROVED') return '승인되었습니다. 환불이 끝나면 알려 드립니다.'
  if (exchange && isOpen({ state })) return nextOfExchange(exchange, state, step)
  if (state !== 'REQUESTED') return undefined
  if (kind === 'CANCEL') return '판매자가 확인하고 있습니다. 결과가 나오면 알려 드립니다.'
  if (step === 2) return '상품을 확인했습니다. 판매자가 환불을 승인하면 환불됩니다.'
  return step === 1
    ? '상품을 수거했습니다. 도착하면 확인한 뒤 환불합니다.'
    : '받은 그대로 포장해 두세요. 판매자가 수거하고 상품을 확인한 뒤 환불합니다.'
}

/** Staff cancel on their own initiative; a return they enter for the buyer. */
const BY_STAFF: Record<ClaimKind, string> = {
  CANCEL: '운영자가 취소했습니다',
  RETURN: '운영자가 대신 신청했습니다',
  EXCHANGE: '운영자가 대신 신청했습니다',
}

/** How the fee of a rejected exchange goes back. */
function feeBackText({ feeTransfer }: Exchange): string {
  if (!feeTransfer) return '를 결제하신 수단으로 환불해 드립니다.'
  if (feeTransfer.sent) return '를 계좌로 환불해 드렸습니다.'
  return feeTransfer.needsAccount
    ? '를 계좌로 환불해 드립니다. 주문 상세에서 환불받을 계좌를 등록해 주세요.'
    : '를 등록하신 계좌로 환불해 드립니다.'
}

function ClaimDetail({ order, claim }: { order: OrderDetail; claim: Claim }) {
  const orderHref = useOrderHref(order._id)
  const withdraw = useWithdrawClaim(order)
  const purchases = purchasesOf(order, claim)
  const withdrawable = purchases.find(({ nextActions }) => nextActions.includes('withdrawClaim'))
  const step = stepOf(claim, purchases)
  const next = nextText(claim, step)
  const kind = claimWords.kind[claim.kind]
  const { pickup, invoice, inspection, sentBack, rejection, exchange } = claim
  return (
    <div className="mt-6 grid gap-5">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={claimTone(claim)}>{claimStateText(order, claim)}</Badge>
            <span className="figures text-ink-3 text-sm">{order.orderNo}</span>
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={orderHref} size="sm" variant="outline">
              주문 상세
            </ButtonLink>
            {withdrawable && (
              <Button
                size="sm"
                variant="outline"
                busy={withdraw.isPending}
                onClick={() => void withdraw.ask(withdrawable)}
              >
                신청 철회
              </Button>
            )}
          </div>
        </div>
        {step !== undefined && <Steps label={`${kind} 단계`} steps={STEPS[claim.kind]} at={step} className="mt-6" />}
        {next && <p className="mt-5 text-ink-2">{next}</p>}
        {claim.state === 'REJECTED' && (
          <Notice tone="warning" className="mt-4">
            <p>
              {kind} 신청이 거부되었습니다.{rejection && ` 거부 사유: ${rejection}`}
            </p>
            {exchange?.pay && isFeeRefunded(exchange) && (
              <p className="mt-1">
                결제하신 {exchangeCostName(exchange)} <Money amount={exchange.pay.amount} />
                {feeBackText(exchange)}
              </p>
            )}
          </Notice>
        )}
        {claim.state === 'WITHDRAWN' && <Notice className="mt-4">신청을 철회했습니다.</Notice>}
        <Facts className="mt-5 border-line border-t pt-4 text-sm empty:hidden" rows={claimDateFacts(claim)} />
      </Card>
      <Card title={`${kind} 상품`}>
        <ul className="grid gap-4">
          {purchases.map((line) => (
            <li key={line.purchaseNo} className="flex items-center gap-4">
              <Picture src={line.thumb} alt="" sizes="56px" className="w-14 shrink-0" />
              {/* Once the replacement is sent, the purchase is of the new option. */}
              <p className="min-w-0">
                {goodsText({ ...line, optionName: exchange?.returnedOptionName ?? line.optionName })}
              </p>
            </li>
          ))}
        </ul>
        <Facts
          className="mt-5 border-line border-t pt-4 text-sm"
          rows={[
            { name: `${kind} 사유`, value: claim.reason },
            ...(claim.fault && !inspection ? [{ name: '배송비 부담', value: claimWords.fault[claim.fault] }] : []),
            ...(claim.by === 'staff' ? [{ name: '신청', value: BY_STAFF[claim.kind] }] : []),
          ]}
        />
      </Card>
      {claim.pictures.length > 0 && purchases[0] && (
        <Card title="상품 사진">
          <ClaimPictures
            pictures={claim.pictures}
            purchaseNo={purchases[0].purchaseNo}
            from={MY_PICTURE}
            headers={guestOrderHeaders(order._id)}
          />
        </Card>
      )}
      {claim.exchange && step !== undefined && (
        <Replacement order={order} claim={claim} exchange={claim.exchange} purchases={purchases} step={step} />
      )}
      {!claim.exchange && step !== undefined && (
        <Card title={claim.state === 'COMPLETED' ? '환불 내역' : '환불 예정 내역'}>
          {claim.refund && <RefundFacts refund={claim.refund} />}
        </Card>
      )}
      {pickup && (
        <Card title={claim.exchange ? '수거지와 새 상품을 받을 곳' : '수거지'}>
          <PartyAddress party={pickup} />
          {invoice && (
            <Facts className="mt-4 text-sm" rows={[{ name: '수거 송장', value: <ParcelText parcel={invoice} /> }]} />
          )}
        </Card>
      )}
      {inspection && (
        <Card title="상품 확인 결과">
          <Facts
            rows={[
              { name: '도착한 수량', value: `${inspection.arrived}개` },
              { name: '배송비 부담', value: claimWords.fault[inspection.fault] },
            ]}
          />
        </Card>
      )}
      {sentBack && (
        <Card title="다시 보내 드린 상품">
          <Facts rows={[{ name: '송장', value: <ParcelText parcel={sentBack} /> }]} />
        </Card>
      )}
    </div>
  )
}

type ReplacementProps = {
  order: OrderDetail
  claim: Claim
  exchange: Exchange
  purchases: readonly PurchaseRow[]
  step: number
}

/** The replacement, its cost for the buyer, and its state. */
function Replacement({ order, claim, exchange, purchases, step }: ReplacementProps) {
  const { company } = useSetting()
  const { optionName, fee, price, feePaid, invoice, delayReason, differenceBack } = exchange
  const cost = exchangeCost(exchange)
  const [line] = purchases
  const isLate = line?.claimStatus === 'EXCHANGE_DELAYED'
  const isDue = cost > 0 && !feePaid && isOpen(claim)
  // who pays is not shown before the goods are inspected; a difference could not go back with a bank transfer
  const account = isDue && price === 0 && step >= CHECKED && company?.bankAccount
  return (
    <Card title="새 상품">
      {isLate && delayReason && (
        <Notice tone="warning" className="mb-4">
          새 상품의 배송이 늦어지고 있습니다. 사유: {delayReason}
        </Notice>
      )}
      <Facts
        rows={[
          ...(line ? [{ name: '상품', value: goodsText({ ...line, optionName }) }] : []),
          ...(invoice ? [{ name: '송장', value: <ParcelText parcel={invoice} /> }] : []),
          { name: '교환 배송비', value: fee > 0 ? <Money amount={fee} /> : '없음' },
          ...(price > 0
            ? [
                { name: '옵션 차액', value: <Money amount={price} /> },
                { name: '결제할 금액', value: <Money amount={cost} className="font-bold" /> },
              ]
            : []),
          ...(cost > 0 ? [{ name: price > 0 ? '결제' : '배송비 결제', value: feeStateText(exchange) }] : []),
          ...(account ? [{ name: '입금 계좌', value: account }] : []),
          ...differenceFacts(differenceBack, !!invoice),
        ]}
      />
      {isDue && (
        <p className="mt-3 text-ink-2 text-sm">
          {step < CHECKED
            ? `${price > 0 ? '교환 비용은' : '교환 배송비는'} 판매자가 상품을 확인한 뒤 결제해 주세요. 결제되면 새 상품을 보내 드립니다.`
            : `${price > 0 ? '교환 비용을' : '교환 배송비를'} 결제${account ? '하거나 위 계좌로 한 번에 입금' : ''}해 주세요. 결제되면 새 상품을 보내 드립니다.`}
        </p>
      )}
      {isDue && <FeePayment orderId={order._id} claim={claim} className="mt-4" />}
    </Card>
  )
}
