// Texts of claims that the shop and the console share.
import type { Claim, ClaimFee, ClaimKind, Exchange, Fault, OrderDetail, PurchaseRow } from '../../api/types'
import { payMethodWords } from '../../i18n/payMethodWords'
import { statusWords } from '../../i18n/statusWords'
import type { Tone } from '../../lib/order-status'

export const claimWords: { kind: Record<ClaimKind, string>; fault: Record<Fault, string> } = {
  kind: { CANCEL: '취소', RETURN: '반품', EXCHANGE: '교환' },
  fault: { BUYER: '구매자', SELLER: '판매자' },
}

type Claimed = Pick<OrderDetail, 'purchases'>

/** The status of an exchange in progress: its purchase shows the progress. */
function exchangeStatusOf(order: Claimed, claim: Pick<Claim, 'purchaseNos'>) {
  const status = purchasesOf(order, claim)[0]?.claimStatus
  return status && status !== 'NONE' ? status : 'EXCHANGE_PENDING'
}

/** The label of a claim's state: the domain's text where a purchase has a status for it. */
export function claimStateText(order: Claimed, claim: Pick<Claim, 'kind' | 'state' | 'purchaseNos'>): string {
  const { kind, state } = claim
  if (state === 'WITHDRAWN') return `${claimWords.kind[kind]}철회`
  if (state === 'APPROVED') return `${claimWords.kind[kind]}승인`
  if (state === 'ACCEPTED') return statusWords.claimStatus[exchangeStatusOf(order, claim)]
  return statusWords.claimStatus[`${kind}_${state}`]
}

const TONES: Record<Claim['state'], Tone> = {
  REQUESTED: 'warning',
  APPROVED: 'busy',
  ACCEPTED: 'busy',
  REJECTED: 'bad',
  COMPLETED: 'quiet',
  WITHDRAWN: 'quiet',
}

export const claimTone = ({ state }: Pick<Claim, 'state'>): Tone => TONES[state]

/** Whether a claim is still open. */
export const isOpen = ({ state }: Pick<Claim, 'state'>): boolean => state === 'REQUESTED' || state === 'ACCEPTED'

/** What the buyer pays for an exchange: its fee, and the difference of a dearer option. */
export const exchangeCost = ({ fee, price }: Pick<Exchange, 'fee' | 'price'>): number => fee + price

/** The name of that. */
export const exchangeCostName = ({ price }: Pick<Exchange, 'price'>): string =>
  price > 0 ? '교환 비용' : '교환 배송비'

/** Whether an exchange waits for the buyer to pay for it. */
export const awaitsFee = (order: Claimed, claim: Pick<Claim, 'state' | 'purchaseNos' | 'exchange'>): boolean =>
  claim.state === 'ACCEPTED' &&
  !!claim.exchange &&
  exchangeCost(claim.exchange) > 0 &&
  !claim.exchange.feePaid &&
  purchasesOf(order, claim)[0]?.collectionStatus === 'COLLECTION_COMPLETE'

type FeeFields = Pick<Exchange, 'feePaid' | 'pay' | 'feeTransfer'>

/** Whether what the buyer paid for an exchange goes back: it was rejected after the payment. */
export const isFeeRefunded = ({ pay, feeTransfer }: Pick<Exchange, 'pay' | 'feeTransfer'>): boolean =>
  pay?.status === 'PAY_CANCELED' && (pay._payment != null || feeTransfer != null)

/** The payment status of what an exchange costs. */
export function feeStateText({ feePaid, pay, feeTransfer }: FeeFields): string {
  if (feeTransfer) return feeTransfer.sent ? '계좌로 환불' : '계좌로 환불 예정'
  if (pay?.status === 'PAY_CANCELED') return isFeeRefunded({ pay, feeTransfer }) ? '환불' : '결제하지 않고 끝남'
  if (!feePaid) return pay ? '결제 대기' : '상품 확인 뒤 결제'
  if (!pay?._payment) return '계좌 입금 확인'
  return pay.method ? `결제 완료 (${payMethodWords[pay.method]})` : '결제 완료'
}

/** Whether a claim has a refund: rejected and withdrawn ones have none, whatever was computed. */
export const hasRefund = ({ state }: Pick<Claim, 'state'>): boolean => state !== 'REJECTED' && state !== 'WITHDRAWN'

/** The label of a fee; a negative one was deducted from an earlier refund and is returned. */
export function feeName({ kind, amount }: ClaimFee): string {
  if (kind === 'RETURN_FARE') return '반품 배송비'
  return amount < 0 ? '추가 배송비 반환' : '추가 배송비'
}

/** `바람 로드 105 · 블랙 · 2개` */
export const goodsText = ({
  name,
  optionName,
  quantity,
}: Pick<PurchaseRow, 'name' | 'optionName' | 'quantity'>): string =>
  [name, optionName, `${quantity}개`].filter(Boolean).join(' · ')

/** The purchases of a claim. */
export const purchasesOf = (order: Claimed, { purchaseNos }: Pick<Claim, 'purchaseNos'>): PurchaseRow[] =>
  order.purchases.filter(({ purchaseNo }) => purchaseNos.includes(purchaseNo))

/** The first of them, and the number of the others. */
export function goodsOf(order: OrderDetail, claim: Pick<Claim, 'purchaseNos'>): string {
  const [first, ...others] = purchasesOf(order, claim)
  if (!first) return ''
  return others.length > 0 ? `${goodsText(first)} 외 ${others.length}건` : goodsText(first)
}
