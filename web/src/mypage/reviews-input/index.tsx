// Purchases without a review, and writing one; /mypage/reviews-input/:reviewId edits an existing one.
import { keepPreviousData } from '@tanstack/react-query'
import { PackageCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { ReviewablePurchase, ReviewPoints } from '../../api/types'
import { useDiscardGuard } from '../../features/forms/unsaved'
import { MY_REVIEWS, WRITABLE } from '../../features/reviews/api'
import { usePage } from '../../lib/usePage'
import { Button, ButtonLink } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { Dialog } from '../../ui/Dialog'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { PagedList } from '../../ui/PagedList'
import { Picture } from '../../ui/Picture'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { ReviewTabs } from '../reviews/ReviewTabs'
import { ReviewForm } from './ReviewForm'

const SIZE = 20
const MOST = 100

export function Component() {
  const { reviewId } = useParams()
  return reviewId === undefined ? <Writable /> : <EditReview id={reviewId} />
}

function Writable() {
  const [params, setParams] = useSearchParams()
  const { page, hrefOf } = usePage()
  const [chosen, setChosen] = useState<string>()
  const linked = params.get('purchase') ?? undefined
  /** The linked purchase whose form was closed: the address is updated a moment later. */
  const [closed, setClosed] = useState<string>()
  // The linked purchase may be on any page.
  const requested = linked === closed ? undefined : linked
  const writable = useApiQuery(
    WRITABLE,
    { headers: requested ? paged(1, MOST) : paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  const { data } = writable
  const isRequested = (purchase: ReviewablePurchase) => purchase.purchaseNo === requested
  const writing = data?.purchases.find(chosen ? ({ purchaseNo }) => purchaseNo === chosen : isRequested)
  const total = data?.summary.totalCount ?? 0
  const close = () => {
    setChosen(undefined)
    setClosed(linked)
    // "Back" leads to the page with the link, not to the closed form.
    if (linked) setParams({}, { replace: true, preventScrollReset: true })
  }
  const { onDirty, guardedClose } = useDiscardGuard(close)
  return (
    <MyPage title="후기 쓰기">
      <ReviewTabs writable={total} />
      {data && <ReviewPointsNotice points={data.points} />}
      {requested && data && !data.purchases.some(isRequested) && (
        <Notice tone="info" className="mt-6">
          이미 후기를 작성했거나 아직 구매를 확정하지 않은 상품입니다.
        </Notice>
      )}
      <PagedList
        query={writable}
        page={requested ? 1 : page}
        size={requested ? Math.max(MOST, total) : SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-4"
        skeleton={
          <>
            <Skeleton className="h-24 rounded-lg" />
            <Skeleton className="h-24 rounded-lg" />
          </>
        }
        empty={
          <EmptyState
            icon={<PackageCheck />}
            title="작성 가능한 후기가 없습니다"
            text="상품을 받고 주문 내역에서 구매를 확정하면 이곳에서 후기를 쓸 수 있습니다."
            action={<ButtonLink to="/mypage/orders">주문 내역 보기</ButtonLink>}
          />
        }
      >
        {(answer) => (
          <ul className="mt-2 divide-y divide-line border-line border-b">
            {answer.purchases.map((purchase) => (
              <li key={purchase.purchaseNo} className="flex items-center gap-4 py-5 max-xs:flex-wrap">
                <PurchaseSummary purchase={purchase} />
                <Button
                  variant="outline"
                  className="ml-auto shrink-0"
                  onClick={() => setChosen(purchase.purchaseNo)}
                  aria-label={`${purchase.name} 후기 쓰기`}
                >
                  후기 쓰기
                </Button>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <Dialog
        open={writing !== undefined}
        onOpenChange={(still) => !still && guardedClose()}
        title="후기 쓰기"
        description={writing && [writing.name, writing.optionName].filter(Boolean).join(' · ')}
      >
        {writing && <ReviewForm purchase={writing.purchaseNo} onDone={close} onDirty={onDirty} />}
      </Dialog>
    </MyPage>
  )
}

const PurchaseSummary = ({ purchase }: { purchase: ReviewablePurchase }) => (
  <>
    <Link to={`/shop/products/${purchase._product}`} className="w-16 shrink-0 rounded-lg md:w-20">
      <Picture src={purchase.thumb} alt="" sizes="80px" />
      <span className="sr-only">{purchase.name} 상품 보기</span>
    </Link>
    <div className="min-w-0 flex-1">
      <p className="font-medium leading-snug">{purchase.name}</p>
      {purchase.optionName && <p className="text-ink-3 text-sm">{purchase.optionName}</p>}
      <p className="figures mt-0.5 text-ink-3 text-sm">
        <DateText value={purchase.createdAt} /> 주문
      </p>
    </div>
  </>
)

function ReviewPointsNotice({ points }: { points: ReviewPoints }) {
  if (points.text <= 0 && points.photo <= 0) return null
  return (
    <Notice tone="info" className="mt-6">
      후기를 쓰면 적립금을 드립니다: 글 후기 <Money amount={points.text} />, 사진 후기 <Money amount={points.photo} />
    </Notice>
  )
}

function EditReview({ id }: { id: string }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useApiQuery(`${MY_REVIEWS}/{id}`, { path: { id } })
  return (
    <MyPage title="후기 수정">
      {error && !data ? (
        <LoadError
          error={error}
          onRetry={() => void refetch()}
          title="찾으시는 후기가 없습니다"
          action={<ButtonLink to="/mypage/reviews">내 후기</ButtonLink>}
        />
      ) : !data ? (
        <Loading className="mt-6 grid gap-4">
          <Skeleton className="h-64 rounded-lg" />
        </Loading>
      ) : (
        <div className="mt-6 max-w-2xl">
          <p className="mb-5 font-semibold">{[data.review.name, data.review.optionName].filter(Boolean).join(' · ')}</p>
          <ReviewForm known={data.review} onDone={() => void navigate('/mypage/reviews', { replace: true })} />
        </div>
      )}
    </MyPage>
  )
}
