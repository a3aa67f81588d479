// Names of the status codes of a purchase.
import statuses from './statuses.json'
export const statusWords = {
  /** The domain's names of a purchase's status codes, generated into statuses.json by the server (status_text.rs). */
  orderStatus: statuses.orderStatus,
  claimStatus: statuses.claimStatus,
  purchaseStatus: statuses.purchaseStatus,
  collectionStatus: statuses.collectionStatus,
  paymentStatus: statuses.paymentStatus,
} as const
