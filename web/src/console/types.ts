// Names for the API types that the console's pages use; all are from the OpenAPI document. Amounts are integer
// hundredths.
import type { components, operations } from '../api/schema.gen'

type S = components['schemas']

export type ListAnswer = { summary: S['Summary'] }

/**
 * The actions on purchases that the server allows the user (`nextActions`); buyers' actions never reach the console, and the receiver
 * is corrected for the order as a whole.
 */
export type Action = Exclude<S['Action'], 'pay' | 'requestCancel' | 'confirm' | 'withdrawClaim' | 'correctReceiver'>
export type Purchase = S['PurchaseRow']

/** A row of the console's purchase list. */
export type PurchaseInList = S['ConsolePurchase']
/** A parcel to the buyer, returned, sent back, or a replacement. */
export type Parcel = S['Parcel']
export type PurchasesAnswer = S['PurchasesAnswer']
export type Party = S['Party']
export type Totals = S['Totals']
export type Payment = S['PaymentCard']
export type Order = S['OrderDetail']
export type Claim = S['ClaimView']
export type Fault = S['Fault']
export type Inspection = S['Inspection']
/** A claim that staff open for the buyer. */
export type ClaimForm = S['ClaimForm']
/** A refund to preview, by purchases. */
export type RefundWish = S['RefundWish']
export type ShownRefund = S['ShownRefund']
export type ExchangeChoices = S['ExchangeChoices']
export type OrderAnswer = S['OrderAnswer']

/** One event of a history. */
export type HistoryEvent = S['HistoryEvent']
export type HistoryAnswer = S['HistoryAnswer']

/** The history of a ledger or record, and its state. */
export type Story = S['StoryAnswer']

/** Subjects of histories, and subjects with explainable amounts. */
export type Ledger = operations['storyOf']['parameters']['path']['subject']
export type Explainable = operations['explain']['parameters']['path']['subject']

/** The causation tree. */
export type Causes = S['CausesAnswer']

/** The explanation of an amount. */
export type Explanation = S['ExplanationAnswer']
