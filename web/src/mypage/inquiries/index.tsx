// What I asked about products.
import { keepPreviousData } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { MY_INQUIRES } from '../../features/inquiries/api'
import { InquireItem } from '../../features/inquiries/InquireItem'
import { pageCount } from '../../lib/pagination'
import { ButtonLink } from '../../ui/Button'
import { Pagination } from '../../ui/Pagination'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { InquireActions } from './InquireActions'

const SIZE = 20

export function Component() {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1)
  const { data, error, refetch } = useApiQuery(
    MY_INQUIRES,
    { headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  const total = data?.summary.totalCount ?? 0
  return (
    <MyPage title="상품 문의">
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="mt-6 grid gap-3">
          <Skeleton className="h-16 rounded-lg" />
          <Skeleton className="h-16 rounded-lg" />
        </Loading>
      ) : total === 0 ? (
        <EmptyState
          icon={<MessageCircleQuestion />}
          title="아직 문의가 없습니다"
          text="상품 페이지의 문의 탭에서 판매자에게 문의할 수 있습니다."
          action={<ButtonLink to="/shop/products">상품 보러 가기</ButtonLink>}
        />
      ) : (
        <ul className="mt-6 divide-y divide-line border-line border-y">
          {data.inquires.map((inquire) => (
            <InquireItem
              key={inquire._id}
              inquire={inquire}
              about={inquire.name}
              actions={
                <>
                  <Link
                    to={`/shop/products/${inquire._product}#inquiries`}
                    className="mr-auto self-center text-ink-3 text-sm underline-offset-4 hover:underline"
                  >
                    상품 보기
                  </Link>
                  <InquireActions inquire={inquire} />
                </>
              }
            />
          ))}
        </ul>
      )}
      {total > SIZE && (
        <Pagination
          page={page}
          pages={pageCount(total, SIZE)}
          hrefOf={(to) => `${pathname}?page=${to}`}
          className="mt-8"
        />
      )}
    </MyPage>
  )
}
