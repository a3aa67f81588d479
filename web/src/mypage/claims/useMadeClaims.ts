// The claims an application created: those the order has after it was sent, and did not have before.
import { useState } from 'react'
import type { Claim, OrderDetail } from '../../api/types'

type NewClaims = { order: OrderDetail; claims: readonly Claim[] }

/** The created claims, and a function to pass the order to afterwards. */
export function useMadeClaims(order: OrderDetail): [made: NewClaims | undefined, onDone: (after: OrderDetail) => void] {
  const [before] = useState(() => new Set(order.claims.map(({ _id }) => _id)))
  const [after, setAfter] = useState<OrderDetail>()
  return [after && { order: after, claims: after.claims.filter(({ _id }) => !before.has(_id)) }, setAfter]
}
