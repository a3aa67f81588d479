// What staff and sellers can do with a purchase: one command of the server each.
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

/** Those of them that give money back: what, is shown before they are confirmed. */
export type RefundAction = 'cancel' | 'approveCancel' | 'approveReturn'
export const givesBack = (action: Action): action is RefundAction =>
  action === 'cancel' || action === 'approveCancel' || action === 'approveReturn'

/** Actions that can be done to many purchases at once. */
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

/** Actions that ask something of each purchase, in a dialog of their own. */
export type OneAction = 'inspectGoods' | 'receiveFee' | ClaimAction
export const isOfOne = (action: Action): action is OneAction =>
  action === 'inspectGoods' || action === 'receiveFee' || opensClaim(action)

/** Those of them that open a claim for the buyer. */
export type ClaimAction = 'requestReturn' | 'requestExchange'
export const opensClaim = (action: Action): action is ClaimAction =>
  action === 'requestReturn' || action === 'requestExchange'

type ListedRow = { nextActions: readonly string[]; collectionStatus?: string }

/**
 * The actions of a list on the chosen rows: what can be done to many, and to one alone what needs a word on each. The number of a
 * parcel that was picked up is put right at its order, where it stands.
 */
export const listActions = (rows: readonly ListedRow[]): Action[] =>
  commonActions(
    rows,
    ACTIONS.filter((action) => BULK.includes(action) || (isOfOne(action) && rows.length === 1)),
  ).filter((action) => !rows.some((row) => correctsPickup(action, row)))

/** Whether the goods were picked up already, so that only the number of their parcel is put right. */
export const correctsPickup = (action: Action, { collectionStatus }: { collectionStatus?: string }): boolean =>
  action === 'pickUpGoods' && collectionStatus === 'COLLECTION_PROGRESS'

/** Actions that only change the order's status, and so are allowed on all matching purchases at once. */
const STATUS = { prepare: 'ORDER_CONFIRM', delay: 'SHIPPING_DELAYED', deliver: 'DELIVERY_COMPLETE' } as const
type StatusAction = keyof typeof STATUS
const isOfStatus = (action: Action): action is StatusAction => action in STATUS

/** Where the goods of a return or exchange are once a courier has them. */
const PICKED_UP: readonly string[] = ['COLLECTION_PROGRESS', 'COLLECTION_COMPLETE']

/** Actions that send something to the buyer. */
const SENDS: readonly Action[] = ['ship', 'correctInvoice', 'shipReplacement', 'correctReplacement']

/** Whether an action on a purchase goes with a parcel: goods that were picked up go back when their claim is rejected. */
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

/** Actions that tell why. */
const WITH_REASON: readonly Action[] = [
  'cancel',
  'rejectCancel',
  'rejectReturn',
  'rejectExchange',
  'delay',
  'delayReplacement',
]
export const asksReason = (action: Action): boolean => WITH_REASON.includes(action)

/** A purchase, as far as commands need it. */
export type Target = { purchaseNo: string }

/** What a person typed for an action. */
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

/** What goes back together: purchases of one order, or those of one claim. */
type OneRefund = components['schemas']['OneRefund']
export type RefundsAnswer = components['schemas']['RefundsAnswer']

export const REFUNDS = '/api/console/shop/purchases/cancel/preview'

/** Gives back what was shown, or nothing; throws the server's refusal. */
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

/** Gives all of them back, one after the other: later ones were reckoned with the earlier ones done. */
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

/** The actions every one of these rows allows now, in button order. */
export function commonActions(rows: readonly { nextActions: readonly string[] }[], among: readonly Action[]): Action[] {
  return rows.length === 0 ? [] : among.filter((action) => rows.every((row) => row.nextActions.includes(action)))
}

/** The actions that can be done to all that match, and are sensible for some of the rows in sight. */
export const anyActions = (rows: readonly { nextActions: readonly string[] }[]): Action[] =>
  BULK.filter((action) => isOfStatus(action) && rows.some((row) => row.nextActions.includes(action)))

/** How one row of a bulk action ended; `refusal` is the server's reason. */
export type Outcome = { purchaseNo: string; refusal?: string }

/**
 * Does an action to many purchases, one after the other: purchases of one order share its ledger, so at the same time they would only
 * be in each other's way. A refusal does not stop the rest.
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
 * Does an action to all that match. The server takes them a part at a time, each with a command of its own; what refuses does not stop
 * the rest. Goes on until all are done, or `isStopped`. Throws when a part is not answered: what was told until then is done.
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
