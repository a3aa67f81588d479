// Names of the status codes of a purchase. They are the domain's; the server writes the file (status_text.rs).
import statuses from './statuses.json'
export const statusWords = {
  /** The words for the codes a purchase carries are the domain's; the server hands them out (status_text.rs). */
  orderStatus: statuses.orderStatus,
  claimStatus: statuses.claimStatus,
  purchaseStatus: statuses.purchaseStatus,
  collectionStatus: statuses.collectionStatus,
  paymentStatus: statuses.paymentStatus,
} as const
