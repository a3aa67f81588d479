// What the console reads from the server, by the names its pages use: all of it is the server's own document. Amounts are whole
// hundredths.
import type { components, operations } from '../api/schema.gen'

type S = components['schemas']

export type ListAnswer = { summary: S['Summary'] }

/**
 * What the server says a reader may do next (`nextActions`) with purchases; buyers' actions never reach the console, and the receiver
 * is corrected for the order as a whole.
 */
export type Action = Exclude<S['Action'], 'pay' | 'requestCancel' | 'confirm' | 'withdrawClaim' | 'correctReceiver'>
export type Purchase = S['PurchaseRow']

/** A row of the console's list of purchases. */
export type PurchaseInList = S['ConsolePurchase']
/** A parcel out, back, sent back or in place of other goods. */
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
/** What is about to be given back, and by which purchases. */
export type RefundWish = S['RefundWish']
export type ShownRefund = S['ShownRefund']
export type ExchangeChoices = S['ExchangeChoices']
export type OrderAnswer = S['OrderAnswer']

/** One thing that happened, as a history tells it. */
export type HistoryEvent = S['HistoryEvent']
export type HistoryAnswer = S['HistoryAnswer']

/** What happened to a ledger or record, and how it was. */
export type Story = S['StoryAnswer']

/** What a history is of, and what has amounts that can be explained. */
export type Ledger = operations['storyOf']['parameters']['path']['subject']
export type Explainable = operations['explain']['parameters']['path']['subject']

/** What led to what. */
export type Causes = S['CausesAnswer']

/** Why an amount is what it is. */
export type Explanation = S['ExplanationAnswer']
