// The purchase of an application: the one in the address, the only one possible, or one chosen here.
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { ClaimKind, NextAction, OrderDetail, PurchaseRow } from '../../api/types'
import { applicationHref, claimHref } from '../../features/claims/claimHrefs'
import { claimWords, goodsText, isOpen } from '../../features/claims/words'
import { useOrderHref } from '../../features/orders/useOrder'
import { object } from '../../i18n/particles'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/states'

type Kind = Exclude<ClaimKind, 'CANCEL'>

const ACTIONS: Record<Kind, NextAction> = { RETURN: 'requestReturn', EXCHANGE: 'requestExchange' }

type OnePurchaseProps = {
  order: OrderDetail
  kind: Kind
  /** When it can be applied for. */
  when: string
  children: (line: PurchaseRow) => ReactNode
}

export function OnePurchase({ order, kind, when, children }: OnePurchaseProps) {
  const [params] = useSearchParams()
  const word = claimWords.kind[kind]
  const lines = order.purchases.filter(({ nextActions }) => nextActions.includes(ACTIONS[kind]))
  const named = params.get('purchase')
  const line = named ? lines.find(({ purchaseNo }) => purchaseNo === named) : lines.length === 1 ? lines[0] : undefined
  if (line) return children(line)
  if (lines.length === 0) return <NoPurchase order={order} kind={kind} when={when} />
  return (
    <Card title={`${word}할 상품을 선택해 주세요`} className="mt-6">
      <ul className="divide-y divide-line">
        {lines.map((one) => (
          <li key={one.purchaseNo} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <span>{goodsText(one)}</span>
            <ButtonLink
              to={applicationHref(kind, order._id, one.purchaseNo)}
              size="sm"
              variant="outline"
              className="ml-auto"
              aria-label={`${one.name} ${word}신청`}
            >
              {word}신청
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Nothing is left to apply for; earlier applications are behind the button. */
function NoPurchase({ order, kind, when }: Omit<OnePurchaseProps, 'children'>) {
  const orderHref = useOrderHref(order._id)
  const word = claimWords.kind[kind]
  const applied = order.claims.findLast((claim) => claim.kind === kind && isOpen(claim))
  if (applied)
    return (
      <EmptyState
        title={`이미 ${object(word)} 신청했습니다`}
        text={`진행 상황은 ${word} 상세에서 볼 수 있습니다.`}
        action={<ButtonLink to={claimHref(order._id, applied)}>신청 내역 보기</ButtonLink>}
      />
    )
  return (
    <EmptyState
      title={`${object(word)} 신청할 수 있는 상품이 없습니다`}
      text={when}
      action={<ButtonLink to={orderHref}>주문 상세</ButtonLink>}
    />
  )
}
