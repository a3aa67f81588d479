// One order of mine, by `?order=` (its id or number).
import { useSearchParams } from 'react-router'
import { useOrder } from '../../features/orders/useOrder'
import { useTitle } from '../../lib/pageContext'
import { ButtonLink } from '../../ui/Button'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { OrderView } from './OrderView'

export function Component() {
  const [params] = useSearchParams()
  const id = params.get('order') ?? ''
  const { data, error, refetch } = useOrder(id)
  useTitle(data && `주문 ${data.order.orderNo}`)
  return (
    <MyPage title="주문 상세">
      {data ? (
        <OrderView order={data.order} />
      ) : !id ? (
        <EmptyState
          title="조회할 주문을 선택해 주세요"
          action={<ButtonLink to="/mypage/orders">주문 내역</ButtonLink>}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-6 grid gap-5">
          <Skeleton className="h-44 rounded-lg" />
          <Skeleton className="h-56 rounded-lg" />
        </Loading>
      )}
    </MyPage>
  )
}
