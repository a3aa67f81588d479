// A list of my orders: where everything is, filtered by state and period. The address is the state; cancellations and returns have one of
// their own.
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { statusWords } from '../../i18n/statusWords'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { Chips } from '../../ui/Checkbox'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { MY_ORDERS } from './api'
import { OrderBox } from './OrderBox'
import { type OrderFilter, ordersHref } from './ordersHref'
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

/** How far claims are (V104). */
const STEPS = [
  { value: 'requested', label: '요청' },
  { value: 'processing', label: '진행 중' },
  { value: 'completed', label: '완료' },
  { value: 'rejected', label: '거부' },
] as const

/** The steps of a list; only exchanges are under way, and what is no claim has none. */
const stepsOf = (filter: OrderFilter) =>
  filter === 'exchange'
    ? STEPS
    : filter === 'cancel' || filter === 'return'
      ? STEPS.filter(({ value }) => value !== 'processing')
      : []

const TITLES: Partial<Record<OrderFilter, string>> = { cancel: '취소 내역', return: '반품 내역' }

/** What an empty list says: what is not there, and where it would be asked for. */
const NONE: Partial<Record<OrderFilter, { title: string; text: string }>> = {
  cancel: {
    title: '취소한 주문이 없습니다',
    text: '결제한 상품은 발송되기 전까지 주문 내역에서 취소할 수 있습니다.',
  },
  return: {
    title: '반품한 주문이 없습니다',
    text: '받은 상품은 구매를 확정하기 전까지 주문 내역에서 반품을 신청할 수 있습니다.',
  },
}

/** The filter that the address names. */
export const filterOf = (params: URLSearchParams): OrderFilter =>
  FILTERS.find(({ value }) => value === params.get('filter'))?.value ?? 'all'

export function OrderList({ filter }: { filter: OrderFilter }) {
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
