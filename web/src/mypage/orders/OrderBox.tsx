// One order in a list: its purchases with what may be done with each, and with all of it.
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { OrderCard } from '../../api/types'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { Actions } from './actions'
import { PurchaseCard } from './PurchaseCard'

export function OrderBox({ order, level = 2 }: { order: OrderCard; level?: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <Card noPadding>
      <header className="flex items-center justify-between gap-4 border-line border-b px-5 py-3.5 md:px-6">
        <Heading className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm max-xs:flex-col">
          <DateText value={order.createdAt} className="figures font-bold text-base" />
          <span className="figures text-ink-3">{order.orderNo}</span>
        </Heading>
        <Link
          to={`/mypage/orders-detail?order=${order._id}`}
          aria-label={`${order.orderNo} 주문 상세`}
          className="tap inline-flex shrink-0 items-center rounded-xs text-ink-2 text-sm hover:text-ink hover:underline"
        >
          주문 상세
          <ChevronRight aria-hidden className="size-4" />
        </Link>
      </header>
      <ul className="divide-y divide-line px-5 py-5 md:px-6">
        {order.purchases.map((purchase) => (
          <PurchaseCard key={purchase.purchaseNo} order={order} purchase={purchase} />
        ))}
      </ul>
      <footer className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3.5 md:px-6">
        <p className="text-ink-2 text-sm">
          주문 금액 <Money amount={order.payable} className="ml-1 font-bold text-base text-ink" />
        </p>
        <Actions order={order} />
      </footer>
    </Card>
  )
}
