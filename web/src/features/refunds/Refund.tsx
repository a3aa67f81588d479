// The refund of a cancellation or return, as computed by the server: goods, fares, fees, points and coupons, and what is not refunded
// and why. Shown before it is confirmed.
import type { ReactNode } from 'react'
import type { RefundPreview, ShownRefund } from '../../api/types'
import { cn } from '../../lib/cn'
import { Money } from '../../ui/Money'
import { reclaimedWords } from '../claims/reclaimedWords'
import { feeName } from '../claims/words'

/** The amounts shown; the command sends them back, so that the server refuses if they have changed. */
export const sumsOf = ({ refund, points }: RefundPreview): ShownRefund => ({
  refund: refund.amount,
  points: points.amount,
})

/** Where the money is refunded to, by payment method. */
const WAYS: Record<string, string> = {
  card: '결제한 카드로 취소됩니다. 카드사에 따라 3~5영업일 걸립니다.',
  bank: '결제한 계좌로 환불됩니다.',
  vbank: '등록한 환불 계좌로 입금됩니다.',
  cellphone: '휴대폰 결제가 취소됩니다.',
}

const t = {
  title: '환불 예정 내역',
  fare: (name: string) => `배송비 · ${name}`,
  coupon: (name: string) => `쿠폰 · ${name}`,
  returns: '쿠폰함으로 돌아갑니다',
  stays: '돌아가지 않습니다',
  pieces: (quantity: number) => `${quantity}개`,
  afterAnswer: '판매자가 승인하면 돌려드립니다.',
  sum: '환불 금액',
}

type RowProps = { name: ReactNode; children: ReactNode; reason?: string | null; className?: string }

const Row = ({ name, children, reason, className }: RowProps) => (
  <div className={cn('flex flex-wrap items-baseline justify-between gap-x-4', className)}>
    <dt className="wrap-anywhere min-w-0 flex-1 text-ink-2">{name}</dt>
    <dd className="ml-auto text-right">{children}</dd>
    {reason && <dd className="w-full text-ink-3 text-xs">{reason}</dd>}
  </div>
)

/** One preview, row by row. */
export function Refund({ preview, className }: { preview: RefundPreview; className?: string }) {
  const { lines, fares, fees, points, reclaimed, coupons, refund } = preview
  const way = refund.amount > 0 ? WAYS[refund.method] : refund.reason
  return (
    <div className={cn('rounded-md bg-sunken p-4 text-sm', className)}>
      <h3 className="font-semibold">{t.title}</h3>
      <dl className="mt-2 grid gap-1.5">
        {lines.map((line) => (
          <Row
            key={line.purchaseNo}
            name={[line.name, line.optionName, t.pieces(line.quantity)].filter(Boolean).join(' · ')}
            // If all of them await a decision, the page says so.
            reason={!line.atOnce && lines.some(({ atOnce }) => atOnce) ? t.afterAnswer : undefined}
          >
            <Money amount={line.money} />
          </Row>
        ))}
        {fares.map((fare) => (
          <Row key={fare.purchaseNos.join()} name={t.fare(fare.name)} reason={fare.reason}>
            <Money amount={fare.money} />
          </Row>
        ))}
        {fees.map((fee) => (
          <Row key={`${fee.kind}-${fee.reason}`} name={feeName(fee)} reason={fee.reason}>
            <Money amount={-fee.amount} signed />
          </Row>
        ))}
        {reclaimed && reclaimed.money > 0 && (
          <Row name={reclaimedWords.money} reason={reclaimedWords.spent}>
            <Money amount={-reclaimed.money} signed />
          </Row>
        )}
        <Row
          name={<strong className="text-base text-ink">{t.sum}</strong>}
          reason={way}
          className="mt-1 border-line border-t pt-2"
        >
          <Money amount={refund.amount} className="font-bold text-base" />
        </Row>
        {/* Besides the money, so not part of the sum above. */}
        {(points.amount > 0 || points.expired > 0) && (
          <Row name={reclaimedWords.returned} reason={points.reason}>
            <Money amount={points.amount} />
          </Row>
        )}
        {reclaimed && reclaimed.points > 0 && (
          <Row name={reclaimedWords.points} reason={reclaimedWords.why}>
            <Money amount={-reclaimed.points} signed />
          </Row>
        )}
        {coupons.map((coupon) => (
          <Row key={coupon._id} name={t.coupon(coupon.name)} reason={coupon.reason}>
            {coupon.returns ? t.returns : t.stays}
          </Row>
        ))}
      </dl>
    </div>
  )
}
