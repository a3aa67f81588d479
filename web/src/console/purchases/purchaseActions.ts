// Actions of staff and sellers on a purchase: one server command each.
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import type { components } from '../../api/schema.gen'
import { sumsOf } from '../../features/refunds/Refund'
import { runInBatches } from '../crud/batch'
import type { Matching } from '../crud/ResourceTable'
import type { Action, ClaimForm, Inspection, ShownRefund } from '../types'

/** Actions in the order of their buttons. */
export const ACTIONS: readonly Action[] = [
  'prepare',
  'ship',
  'correctInvoice',
  'delay',
  'deliver',
  'approveCancel',
  'rejectCancel',
  'pickUpGoods',
  'inspectGoods',
  'approveReturn',
  'rejectReturn',
  'acceptExchange',
  'receiveFee',
  'shipReplacement',
  'correctReplacement',
  'delayReplacement',
  'completeExchange',
  'rejectExchange',
  'requestReturn',
  'requestExchange',
  'cancel',
]

/** Actions with a refund, which is shown before they are confirmed. */
export type RefundAction = 'cancel' | 'approveCancel' | 'approveReturn'
export const givesBack = (action: Action): action is RefundAction =>
  action === 'cancel' || action === 'approveCancel' || action === 'approveReturn'

/** Actions that money goes back after, in the background: also what was paid for an exchange, and the difference of a cheaper option. */
export const isRefundedLater = (action: Action): boolean =>
  givesBack(action) || action === 'rejectExchange' || action === 'shipReplacement'

/** Actions that can be applied to many purchases at once. */
export const BULK: readonly Action[] = [
  'prepare',
  'ship',
  'delay',
  'deliver',
  'approveCancel',
  'rejectCancel',
  'pickUpGoods',
  'approveReturn',
  'rejectReturn',
  'acceptExchange',
  'shipReplacement',
  'delayReplacement',
  'completeExchange',
  'rejectExchange',
  'cancel',
]

/** Actions that need parameters for each purchase, in a dialog of their own. */
export type OneAction = 'inspectGoods' | 'receiveFee' | ClaimAction
export const isOfOne = (action: Action): action is OneAction =>
  action === 'inspectGoods' || action === 'receiveFee' || opensClaim(action)

/** Actions that open a claim for the buyer. */
export type ClaimAction = 'requestReturn' | 'requestExchange'
export const opensClaim = (action: Action): action is ClaimAction =>
  action === 'requestReturn' || action === 'requestExchange'

type ListedRow = { nextActions: readonly string[]; collectionStatus?: string }

/**
 * The actions of a list on the selected rows: bulk actions, and for a single row those with parameters of their own. The number of a
 * parcel that was picked up is corrected on its order's page.
 */
export const listActions = (rows: readonly ListedRow[]): Action[] =>
  commonActions(
    rows,
    ACTIONS.filter((action) => BULK.includes(action) || (isOfOne(action) && rows.length === 1)),
  ).filter((action) => !rows.some((row) => correctsPickup(action, row)))

/** Whether the goods were picked up already, so that only their parcel's number is corrected. */
export const correctsPickup = (action: Action, { collectionStatus }: { collectionStatus?: string }): boolean =>
  action === 'pickUpGoods' && collectionStatus === 'COLLECTION_PROGRESS'

/** Actions that only change the order's status, and so are allowed on all matching purchases at once. */
const STATUS = { prepare: 'ORDER_CONFIRM', delay: 'SHIPPING_DELAYED', deliver: 'DELIVERY_COMPLETE' } as const
type StatusAction = keyof typeof STATUS
const isOfStatus = (action: Action): action is StatusAction => action in STATUS

/** States of returned goods that a courier has picked up. */
const PICKED_UP: readonly string[] = ['COLLECTION_PROGRESS', 'COLLECTION_COMPLETE']

/** Actions that send something to the buyer. */
const SENDS: readonly Action[] = ['ship', 'correctInvoice', 'shipReplacement', 'correctReplacement']

/** Whether an action on a purchase involves a parcel: goods that were picked up are sent back when their claim is rejected. */
export function parcelOf(
  action: Action,
  { collectionStatus = 'NONE' }: { collectionStatus?: string },
): 'required' | 'optional' | undefined {
  if (SENDS.includes(action)) return 'required'
  if (action === 'pickUpGoods') return 'optional'
  return (action === 'rejectReturn' || action === 'rejectExchange') && PICKED_UP.includes(collectionStatus)
    ? 'required'
    : undefined
}

/** Actions with a reason. */
const WITH_REASON: readonly Action[] = [
  'cancel',
  'rejectCancel',
  'rejectReturn',
  'rejectExchange',
  'delay',
  'delayReplacement',
]
export const asksReason = (action: Action): boolean => WITH_REASON.includes(action)

/** The fields of a purchase that commands need. */
export type Target = { purchaseNo: string }

/** The user's input for an action. */
export type ActionInput = {
  reason?: string
  courier?: string
  invoiceNo?: string
  inspection?: Inspection
  claim?: ClaimForm
  shown?: ShownRefund
}

const PURCHASE = '/api/console/shop/purchases/{purchaseNo}'

/** Sends the command of `action`; throws the server's refusal. */
export function runAction(
  action: Exclude<Action, RefundAction | 'receiveFee'>,
  { purchaseNo }: Target,
  said: ActionInput = {},
): Promise<unknown> {
  const headers = idempotent(newIdempotencyKey())
  const path = { purchaseNo }
  const parcel = { courier: said.courier, invoiceNo: said.invoiceNo }
  const put = (body: object) => call('PUT', PURCHASE, { path, headers, body })
  switch (action) {
    case 'prepare':
    case 'delay':
    case 'deliver':
      return put({ orderStatus: STATUS[action], reason: said.reason })
    case 'rejectCancel':
      return put({ claimStatus: 'CANCEL_REJECTED', reason: said.reason })
    case 'rejectReturn':
      return put({ claimStatus: 'RETURN_REJECTED', reason: said.reason, ...parcel })
    case 'acceptExchange':
      return put({ claimStatus: 'EXCHANGE_PENDING' })
    case 'rejectExchange':
      return put({ claimStatus: 'EXCHANGE_REJECTED', reason: said.reason, ...parcel })
    case 'shipReplacement':
    case 'correctReplacement':
      return put({ claimStatus: 'EXCHANGE_SHIPPING', ...parcel })
    case 'delayReplacement':
      return put({ claimStatus: 'EXCHANGE_DELAYED', reason: said.reason })
    case 'requestReturn':
      return put({ claimStatus: 'RETURN_REQUESTED', reason: said.reason, claim: said.claim, shown: said.shown })
    case 'requestExchange':
      return put({ claimStatus: 'EXCHANGE_REQUESTED', reason: said.reason, claim: said.claim })
    case 'completeExchange':
      return put({ claimStatus: 'EXCHANGE_COMPLETED' })
    case 'pickUpGoods':
      return put({ collectionStatus: 'COLLECTION_PROGRESS', ...parcel })
    case 'inspectGoods':
      return put({ collectionStatus: 'COLLECTION_COMPLETE', inspection: said.inspection })
    case 'ship':
    case 'correctInvoice':
      return call('PUT', '/api/console/shop/invoices/{purchaseNo}', {
        path,
        headers,
        body: parcel,
      })
  }
}

/** A combined refund: purchases of one order, or those of one claim. */
type OneRefund = components['schemas']['OneRefund']
export type RefundsAnswer = components['schemas']['RefundsAnswer']

export const REFUNDS = '/api/console/shop/purchases/cancel/preview'

/** Refunds exactly what was shown, or nothing; throws the server's refusal. */
function giveBack(
  action: RefundAction,
  { _order, purchaseNos, preview }: OneRefund,
  reason?: string,
): Promise<unknown> {
  const headers = idempotent(newIdempotencyKey())
  const shown = sumsOf(preview)
  const [purchaseNo = ''] = purchaseNos
  return action === 'cancel'
    ? call('POST', '/api/console/shop/orders/{id}/cancel', {
        path: { id: _order },
        headers,
        body: { reason, purchaseNos, shown },
      })
    : call('PUT', PURCHASE, {
        path: { purchaseNo },
        headers,
        body: { claimStatus: action === 'approveReturn' ? 'RETURN_COMPLETED' : 'CANCEL_COMPLETED', reason, shown },
      })
}

/** Runs all refunds, one after the other: each was computed with the earlier ones done. */
export async function giveAllBack(
  action: RefundAction,
  reckoned: Pick<RefundsAnswer, 'refunds' | 'failed'> = { refunds: [], failed: [] },
  reason: string | undefined,
  onProgress: (outcomes: Outcome[]) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = reckoned.failed.map(({ id, message }) => ({ purchaseNo: id, refusal: message }))
  for (const refund of reckoned.refunds) {
    let refusal: string | undefined
    try {
      await giveBack(action, refund, reason)
    } catch (thrown) {
      refusal = toApiError(thrown).message
    }
    outcomes.push(...refund.purchaseNos.map((purchaseNo) => ({ purchaseNo, refusal })))
    onProgress([...outcomes])
  }
  return outcomes
}

/** The actions that every one of these rows allows now, in button order. */
export function commonActions(rows: readonly { nextActions: readonly string[] }[], among: readonly Action[]): Action[] {
  return rows.length === 0 ? [] : among.filter((action) => rows.every((row) => row.nextActions.includes(action)))
}

/** The actions that can be applied to all matching purchases, if some of the visible rows allow them. */
export const anyActions = (rows: readonly { nextActions: readonly string[] }[]): Action[] =>
  BULK.filter((action) => isOfStatus(action) && rows.some((row) => row.nextActions.includes(action)))

/** The result of a bulk action for one row; `refusal` is the server's reason. */
export type Outcome = { purchaseNo: string; refusal?: string }

/**
 * Runs an action on many purchases, one after the other: purchases of one order share its stream, so concurrent commands would
 * conflict. A refusal does not stop the rest.
 */
export async function actOnAll(
  action: Exclude<Action, RefundAction | 'receiveFee'>,
  targets: readonly (Target & { said?: ActionInput })[],
  onProgress: (outcomes: Outcome[]) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { said, ...target } of targets) {
    try {
      await runAction(action, target, said)
      outcomes.push({ purchaseNo: target.purchaseNo })
    } catch (thrown) {
      outcomes.push({ purchaseNo: target.purchaseNo, refusal: toApiError(thrown).told })
    }
    onProgress([...outcomes])
  }
  return outcomes
}

/**
 * Runs an action on all matching purchases. The server processes them in batches, each with a command of its own; refusals do not stop
 * the rest. Continues until all are done, or `isStopped`. Throws when a batch fails: results reported until then are done.
 */
export async function actOnMatching(
  action: Action,
  matching: Matching,
  said: ActionInput,
  onProgress: (outcomes: Outcome[]) => void,
  isStopped: () => boolean = () => false,
): Promise<Outcome[]> {
  if (!isOfStatus(action)) throw new Error(`${action} asks something of each purchase`)
  const outcomes: Outcome[] = []
  const fields = { orderStatus: STATUS[action], reason: said.reason }
  await runInBatches(
    (after: string | undefined) =>
      call('POST', '/api/console/shop/purchases/bulk', {
        headers: idempotent(newIdempotencyKey()),
        body: { fields, matching, after },
      }),
    ({ done, failed }) => {
      outcomes.push(
        ...done.map((purchaseNo) => ({ purchaseNo })),
        ...failed.map(({ id, message }) => ({ purchaseNo: id, refusal: message })),
      )
      onProgress([...outcomes])
    },
    isStopped,
  )
  return outcomes
}
