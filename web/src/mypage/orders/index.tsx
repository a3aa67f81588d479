// The member's orders, filtered by state and period. The state is in the address; cancellations and returns have addresses of their
// own.
import { keepPreviousData } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { OrderCard } from '../../api/types'
import { statusWords } from '../../i18n/statusWords'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Chips } from '../../ui/Checkbox'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { Actions } from './actions'
import { MY_ORDERS } from './api'
import { type OrderFilter, ordersHref, ownFilterOf } from './ordersHref'
import { PurchaseCard } from './PurchaseCard'
import { StatusStrip } from './StatusStrip'

const SIZE = 10
const PERIODS = [
  { value: '1', label: '1개월' },
  { value: '3', label: '3개월' },
  { value: '6', label: '6개월' },
  { value: '12', label: '1년' },
  { value: '', label: '전체 기간' },
]
const DEFAULT_PERIOD = '3'

/** The filters of the specification (V100-V105). */
const FILTERS: readonly { value: OrderFilter; label: string }[] = [
  { value: 'all', label: '전체' },
  { value: 'processing', label: '진행 중' },
  { value: 'shipped', label: statusWords.orderStatus.SHIPPING_CONFIRM },
  { value: 'delivered', label: statusWords.orderStatus.DELIVERY_COMPLETE },
  { value: 'cancel', label: '취소' },
  { value: 'exchange', label: '교환' },
  { value: 'return', label: '반품' },
]

/** The steps of claims (V104). */
const STEPS = [
  { value: 'requested', label: '요청' },
  { value: 'processing', label: '진행 중' },
  { value: 'completed', label: '완료' },
  { value: 'rejected', label: '거부' },
] as const

/** The steps of a list; only exchanges have "in progress", and lists without claims have none. */
const stepsOf = (filter: OrderFilter) =>
  filter === 'exchange'
    ? STEPS
    : filter === 'cancel' || filter === 'return'
      ? STEPS.filter(({ value }) => value !== 'processing')
      : []

const TITLES: Partial<Record<OrderFilter, string>> = { cancel: '취소 내역', exchange: '교환 내역', return: '반품 내역' }

/** Texts of an empty list: what is missing, and where to apply for it. */
const NONE: Partial<Record<OrderFilter, { title: string; text: string }>> = {
  cancel: {
    title: '취소한 주문이 없습니다',
    text: '결제한 상품은 발송되기 전까지 주문 내역에서 취소할 수 있습니다.',
  },
  exchange: {
    title: '교환한 주문이 없습니다',
    text: '받은 상품은 구매를 확정하기 전까지 주문 내역에서 교환을 신청할 수 있습니다.',
  },
  return: {
    title: '반품한 주문이 없습니다',
    text: '받은 상품은 구매를 확정하기 전까지 주문 내역에서 반품을 신청할 수 있습니다.',
  },
}

/** The filter in the address. */
const filterOf = (params: URLSearchParams): OrderFilter =>
  FILTERS.find(({ value }) => value === params.get('filter'))?.value ?? 'all'

export function Component() {
  const [params] = useSearchParams()
  const own = ownFilterOf(useLocation().pathname)
  const filter = own ?? filterOf(params)
  // Addresses from before these lists had their own.
  if (!own && (filter === 'cancel' || filter === 'return')) {
    const { months, step } = Object.fromEntries(params)
    return <Navigate replace to={ordersHref(filter, { months, step })} />
  }
  return <OrderList key={own} filter={filter} />
}

function OrderList({ filter }: { filter: OrderFilter }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const steps = stepsOf(filter)
  const step = steps.find(({ value }) => value === params.get('step'))?.value
  const months = params.get('months') ?? DEFAULT_PERIOD
  const { page, hrefOf } = usePage()
  const orders = useApiQuery(
    MY_ORDERS,
    { query: { filter, step, months: Number(months) || undefined }, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  const goTo = (to: OrderFilter, query: { months: string; step?: string }) => void navigate(ordersHref(to, query))
  const none = NONE[filter]
  return (
    <MyPage title={TITLES[filter] ?? '주문 내역'}>
      <div className="mt-6">
        <StatusStrip counts={orders.data?.summary.counts} months={months} />
      </div>
      <Chips
        label="주문 상태"
        className="mt-6"
        options={FILTERS}
        value={filter}
        onValueChange={(value) => goTo(value, { months })}
      />
      {steps.length > 0 && (
        <Chips
          label="처리 상태"
          className="mt-2"
          options={[{ value: '', label: '모든 상태' }, ...steps]}
          value={step ?? ''}
          onValueChange={(value) => goTo(filter, { months, step: value })}
        />
      )}
      <Chips
        label="기간"
        className="mt-2"
        options={PERIODS}
        value={months}
        onValueChange={(value) => goTo(filter, { months: value, step })}
      />
      <p className="sr-only" aria-live="polite">
        {orders.data && `주문 ${orders.data.summary.totalCount}건`}
      </p>
      <PagedList
        query={orders}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        paginationClass="mt-10"
        skeletonClass="mt-6 grid gap-4"
        skeleton={
          <>
            <Skeleton className="h-48 rounded-lg" />
            <Skeleton className="h-48 rounded-lg" />
          </>
        }
        empty={
          <EmptyState
            title={none?.title ?? '조건에 맞는 주문이 없습니다'}
            text={none?.text ?? (months ? '기간을 넓혀 보세요.' : undefined)}
            action={
              none ? (
                <ButtonLink to="/mypage/orders">주문 내역</ButtonLink>
              ) : (
                <ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>
              )
            }
          />
        }
      >
        {(answer) => (
          <ul className="mt-5 grid gap-4">
            {answer.orders.map((order) => (
              <li key={order._id}>
                <OrderBox order={order} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </MyPage>
  )
}

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
