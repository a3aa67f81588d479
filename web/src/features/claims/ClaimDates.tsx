// When a claim was requested, accepted, picked up, inspected, decided and completed: the dates that exist, in that order.
import type { Claim, ClaimTimes } from '../../api/types'
import { DateText } from '../../ui/DateText'

/** The existing dates, in chronological order. */
export function claimDates({
  kind,
  state,
  times,
}: Pick<Claim, 'kind' | 'state'> & { times?: ClaimTimes | null }): { name: string; at: string }[] {
  if (!times) return []
  const steps: [string, string | null | undefined][] = [
    ['신청', times.requestedAt],
    ['교환 승인', times.acceptedAt],
    ['수거', times.pickedUpAt],
    ['상품 확인', times.inspectedAt],
    [state === 'REJECTED' ? '거부' : '승인', times.answeredAt],
    [kind === 'EXCHANGE' ? '교환 완료' : '환불 완료', times.completedAt],
    ['철회', times.withdrawnAt],
  ]
  return steps.flatMap(([name, at]) => (at ? [{ name, at }] : []))
}

/** The same as rows of facts. */
export const claimDateFacts = (claim: Parameters<typeof claimDates>[0]) =>
  claimDates(claim).map(({ name, at }) => ({
    name,
    value: <DateText value={at} style="datetime" className="figures" />,
  }))
