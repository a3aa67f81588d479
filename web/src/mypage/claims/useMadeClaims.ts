// The claims an application made: those its order has once it was sent, and had not before.
import { useState } from 'react'
import type { Claim, OrderDetail } from '../../api/types'

type NewClaims = { order: OrderDetail; claims: readonly Claim[] }

/** What was made, and who to tell the order afterwards. */
export function useMadeClaims(order: OrderDetail): [made: NewClaims | undefined, onDone: (after: OrderDetail) => void] {
  const [before] = useState(() => new Set(order.claims.map(({ _id }) => _id)))
  const [after, setAfter] = useState<OrderDetail>()
  return [after && { order: after, claims: after.claims.filter(({ _id }) => !before.has(_id)) }, setAfter]
}
