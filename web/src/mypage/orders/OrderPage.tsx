// The frame of a page about the order of its address (`?order=`), for the member who placed it and for a guest who found it.
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useLoggedIn } from '../../api/session'
import type { OrderDetail } from '../../api/types'
import { useOrder } from '../../features/orders/useOrder'
import { useTitle } from '../../lib/pageContext'
import { ButtonLink } from '../../ui/Button'
import { LoadError } from '../../ui/LoadError'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'

type OrderPageProps = {
  title: string
  /** The title of the browser's tab, once the order is loaded. */
  tabTitle?: (order: OrderDetail) => string
  children: (order: OrderDetail) => ReactNode
}

export function OrderPage({ title, tabTitle, children }: OrderPageProps) {
  const [params] = useSearchParams()
  const id = params.get('order') ?? ''
  const loggedIn = useLoggedIn()
  const { data, error, refetch } = useOrder(id)
  useTitle(data && tabTitle?.(data.order))
  const content = data ? (
    children(data.order)
  ) : !id ? (
    <EmptyState
      title="조회할 주문을 선택해 주세요"
      text="주문 내역에서 주문을 선택하면 볼 수 있습니다."
      action={<ButtonLink to="/mypage/orders">주문 내역</ButtonLink>}
    />
  ) : error ? (
    <LoadError
      error={error}
      onRetry={() => void refetch()}
      title="찾으시는 주문이 없습니다"
      action={<ButtonLink to="/mypage/orders">주문 내역</ButtonLink>}
    />
  ) : (
    <Loading className="mt-6 grid gap-5">
      <Skeleton className="h-44 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
    </Loading>
  )
  if (loggedIn) return <MyPage title={title}>{content}</MyPage>
  return (
    <main id="content" className="mx-auto w-full max-w-4xl px-5 py-8 md:py-12">
      <h1 className="font-extrabold text-3xl">{title}</h1>
      {content}
    </main>
  )
}
