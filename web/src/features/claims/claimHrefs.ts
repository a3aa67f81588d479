// Addresses of the pages about claims.
import type { ClaimKind } from '../../api/types'

const PAGES: Record<ClaimKind, string> = { CANCEL: 'cancel', RETURN: 'return', EXCHANGE: 'exchange' }

/** The list of claims of a kind. */
export const claimsHref = (kind: ClaimKind): string => `/mypage/orders/${PAGES[kind]}`

/** The application for a claim, on one purchase or on any the order allows. */
export const applicationHref = (kind: ClaimKind, order: string, purchase?: string): string =>
  `${claimsHref(kind)}-application?${new URLSearchParams({ order, ...(purchase && { purchase }) })}`

/** The page of a claim. */
export const claimHref = (order: string, { _id, kind }: { _id: string; kind: ClaimKind }): string =>
  `${claimsHref(kind)}-detail?${new URLSearchParams({ order, claim: _id })}`
