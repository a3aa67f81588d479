// The member's reviews.
import { keepPreviousData } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { invalidateReviews, MY_REVIEWS, WRITABLE } from '../../features/reviews/api'
import { ReviewItem } from '../../features/reviews/ReviewItem'
import { usePage } from '../../lib/usePage'
import { Badge } from '../../ui/Badge'
import { Button, ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { useDeleteWithUndo } from '../useDeleteWithUndo'
import { ReviewTabs } from './ReviewTabs'

const SIZE = 10

export function Component() {
  const { page, hrefOf } = usePage()
  const reviews = useApiQuery(MY_REVIEWS, { headers: paged(page, SIZE) }, { placeholderData: keepPreviousData })
  const writable = useApiQuery(WRITABLE, { headers: paged(1, 1) }).data?.summary.totalCount
  const remove = useDeleteWithUndo(
    MY_REVIEWS,
    { removed: '후기를 삭제했습니다.', restored: '후기를 복원했습니다.' },
    invalidateReviews,
  )
  return (
    <MyPage title="내 후기">
      <ReviewTabs writable={writable} />
      <PagedList
        query={reviews}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-4"
        skeleton={
          <>
            <Skeleton className="h-40 rounded-lg" />
            <Skeleton className="h-40 rounded-lg" />
          </>
        }
        empty={
          <EmptyState
            icon={<Star />}
            title="작성한 후기가 없습니다"
            text="구매를 확정한 상품에 후기를 남기면 다른 분들에게 큰 도움이 됩니다."
            action={<ButtonLink to="/mypage/reviews-input">작성 가능한 후기 보기</ButtonLink>}
          />
        }
      >
        {(answer) => (
          <ul className="mt-2 divide-y divide-line">
            {answer.reviews.map((review) => (
              <li key={review._id}>
                <ReviewItem
                  review={review}
                  head={
                    <h2 className="mb-2 flex flex-wrap items-center gap-2">
                      <Link
                        to={`/shop/products/${review._product}#reviews`}
                        className="font-semibold underline-offset-4 hover:underline"
                      >
                        {review.name}
                      </Link>
                      {!review.shows && <Badge tone="warning">운영자가 숨긴 후기</Badge>}
                    </h2>
                  }
                  actions={
                    <>
                      <ButtonLink to={`/mypage/reviews-input/${review._id}`} variant="outline" size="sm">
                        수정
                      </ButtonLink>
                      <Button
                        variant="ghost"
                        size="sm"
                        busy={remove.isPending && remove.variables === review._id}
                        onClick={() => remove.mutate(review._id)}
                      >
                        삭제
                      </Button>
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </MyPage>
  )
}
