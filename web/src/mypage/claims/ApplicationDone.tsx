// The result of an application: each created claim, with a link to it.
import { CircleCheck } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import type { Claim, OrderDetail } from '../../api/types'
import { claimHref } from '../../features/claims/claimHrefs'
import { exchangeCost, exchangeCostName, goodsOf } from '../../features/claims/words'
import { useOrderHref } from '../../features/orders/useOrder'
import { ButtonLink } from '../../ui/Button'
import { Money } from '../../ui/Money'

type ApplicationDoneProps = {
  title: string
  /** Text if no claim was needed: an unpaid order. */
  text?: string
  order: OrderDetail
  claims: readonly Claim[]
}

/** The next step of a claim. */
const NEXT: Record<Claim['kind'], Partial<Record<Claim['state'], string>>> = {
  CANCEL: {
    REQUESTED: '상품을 준비하고 있어 판매자의 승인이 필요합니다. 확인하는 대로 결과를 알려 드립니다.',
    APPROVED: '취소했습니다. 환불이 끝나면 ‘취소완료’로 바뀝니다.',
    COMPLETED: '취소했습니다.',
  },
  RETURN: {
    REQUESTED: '받은 그대로 포장해 두세요. 판매자가 수거하고 상품을 확인한 뒤 환불합니다.',
  },
  EXCHANGE: {
    REQUESTED: '받은 그대로 포장해 두세요. 판매자가 승인하면 수거하고, 상품을 확인한 뒤 새 상품을 보내 드립니다.',
  },
}

export function ApplicationDone({ title, text, order, claims }: ApplicationDoneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const orderHref = useOrderHref(order._id)
  // The form that had the focus is gone.
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <section className="mt-8 flex flex-col items-center text-center">
      <CircleCheck aria-hidden className="size-14 stroke-[1.4] text-success" />
      <h2 ref={heading} tabIndex={-1} className="mt-4 font-bold text-2xl focus:outline-none">
        {title}
      </h2>
      {text && <p className="mt-2 text-ink-2">{text}</p>}
      {claims.length > 0 && (
        <ul className="mt-6 grid w-full max-w-xl gap-3 text-left">
          {claims.map((claim) => (
            <li key={claim._id} className="rounded-lg border border-line bg-raised p-5">
              <p className="font-semibold">{goodsOf(order, claim)}</p>
              {claim.exchange?.optionName && (
                <p className="mt-1 text-sm">교환해서 받을 옵션: {claim.exchange.optionName}</p>
              )}
              <p className="mt-1 text-ink-2 text-sm">{NEXT[claim.kind][claim.state]}</p>
              <p className="mt-3 flex flex-wrap items-center justify-between gap-3">
                <span className="text-sm">
                  {claim.exchange ? exchangeCostName(claim.exchange) : '환불 예정 금액'}{' '}
                  <Money
                    amount={claim.exchange ? exchangeCost(claim.exchange) : (claim.refund?.money ?? 0)}
                    className="ml-1 font-bold text-base"
                  />
                </span>
                <ButtonLink to={claimHref(order._id, claim)} size="sm" variant="outline">
                  신청 내역 보기
                </ButtonLink>
              </p>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-7 flex flex-wrap justify-center gap-2">
        <ButtonLink to={orderHref}>주문 상세</ButtonLink>
        <ButtonLink to="/shop/products" variant="outline">
          계속 쇼핑하기
        </ButtonLink>
      </p>
    </section>
  )
}
