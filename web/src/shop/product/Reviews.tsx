// What buyers say about a product: the average with how many stars were given how often, their pictures, and the reviews.
import { keepPreviousData } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { ReviewSort } from '../../api/types'
import { REVIEW_IMAGES, REVIEWS } from '../../features/reviews/api'
import { ReviewItem } from '../../features/reviews/ReviewItem'
import { grouped } from '../../i18n/number'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Histogram } from '../../ui/Histogram'
import { Lightbox } from '../../ui/ImageLightbox'
import { Select } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { Picture } from '../../ui/Picture'
import { Rating } from '../../ui/Rating'
import { EmptyState, Skeleton } from '../../ui/states'

const SIZE = 10
const STRIP = 12
const HUNDREDTHS = 100
const SORTS: { value: ReviewSort; label: string }[] = [
  { value: 'BEST', label: '추천순' },
  { value: 'LATEST', label: '최신순' },
  { value: 'STAR_DESC', label: '별점 높은순' },
  { value: 'STAR_ASC', label: '별점 낮은순' },
]
const STARS = [
  { value: '', label: '모든 별점' },
  ...[5, 4, 3, 2, 1].map((star) => ({ value: String(star), label: `${star}점` })),
]

export default function Reviews({ product, name }: { product: string; name: string }) {
  const [sort, setSort] = useState<ReviewSort>('BEST')
  const [star, setStar] = useState('')
  const [photo, setPhoto] = useState(false)
  const [page, setPage] = useState(1)
  const query = { _product: product, sort, photo: photo || undefined, star: star === '' ? undefined : Number(star) }
  const reviews = useApiQuery(REVIEWS, { query, headers: paged(page, SIZE) }, { placeholderData: keepPreviousData })
  const first = <T,>(change: (value: T) => void) => {
    return (value: T) => {
      change(value)
      setPage(1)
    }
  }
  const summary = reviews.data?.summary
  return (
    <div>
      <h2 className="sr-only">후기</h2>
      {summary && summary.count > 0 && (
        <>
          <div className="grid gap-6 rounded-lg border border-line bg-raised p-6 md:grid-cols-[14rem_1fr] md:items-center">
            <div className="text-center">
              <p className="figures font-extrabold text-5xl">{(summary.star / HUNDREDTHS).toFixed(1)}</p>
              <Rating stars={summary.star / HUNDREDTHS} className="mt-2 text-lg" />
              <p className="mt-1 text-ink-3 text-sm">후기 {grouped(summary.count)}개</p>
            </div>
            <Histogram counts={starCounts(summary.stars)} />
          </div>
          {summary.pictured > 0 && <Strip product={product} name={name} />}
          <div className="mt-8 flex flex-wrap items-end gap-x-4 gap-y-3 border-line border-b pb-4">
            <Field label="정렬" hideLabel>
              <Select
                dense
                options={SORTS}
                value={sort}
                onChange={(event) => first(setSort)(event.target.value as ReviewSort)}
              />
            </Field>
            <Field label="별점" hideLabel>
              <Select dense options={STARS} value={star} onChange={(event) => first(setStar)(event.target.value)} />
            </Field>
            <Checkbox
              label={`사진 후기만 (${grouped(summary.pictured)})`}
              checked={photo}
              onChange={(event) => first(setPhoto)(event.target.checked)}
              className="pb-1.5"
            />
            <p aria-live="polite" className="ml-auto pb-1.5 text-ink-3 text-sm">
              {grouped(summary.totalCount)}개
            </p>
          </div>
        </>
      )}
      <PagedList
        query={reviews}
        label="후기 페이지"
        page={page}
        size={SIZE}
        onPage={setPage}
        skeletonClass="grid gap-4"
        skeleton={
          <>
            <Skeleton className="h-36 rounded-lg" />
            <Skeleton className="h-48 rounded-lg" />
          </>
        }
        empty={
          summary?.count === 0 ? (
            <EmptyState
              icon={<Star />}
              title="아직 후기가 없습니다"
              text="이 상품을 구매하고 구매를 확정하면 첫 후기를 쓸 수 있습니다."
              action={
                <Link to="/mypage/reviews-input" className="font-semibold underline underline-offset-4">
                  작성 가능한 후기 보기
                </Link>
              }
            />
          ) : (
            <EmptyState icon={<Star />} title="조건에 맞는 후기가 없습니다" text="별점이나 사진 조건을 바꿔 보세요." />
          )
        }
      >
        {(answer) => (
          <ul className="divide-y divide-line">
            {answer.reviews.map((review) => (
              <li key={review._id}>
                <ReviewItem review={review} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

const starCounts = ([one = 0, two = 0, three = 0, four = 0, five = 0]: readonly number[]) => ({
  1: one,
  2: two,
  3: three,
  4: four,
  5: five,
})

/** The newest pictures, in a row. */
function Strip({ product, name }: { product: string; name: string }) {
  const { data } = useApiQuery(REVIEW_IMAGES, { query: { _product: product }, headers: paged(1, STRIP) })
  const [open, setOpen] = useState<number>()
  const images = (data?.reviewImages ?? []).slice(0, STRIP)
  return (
    <section aria-labelledby="review-pictures" className="mt-8">
      <h3 id="review-pictures" className="font-bold">
        사진 후기
      </h3>
      <ul className="mt-3 flex gap-2 overflow-x-auto pb-1">
        {images.map((image, i) => (
          <li key={`${image._review}${image.url}`} className="shrink-0">
            <button
              type="button"
              onClick={() => setOpen(i)}
              aria-label={`후기 사진 ${i + 1} 크게 보기, 별점 ${image.star}점`}
              className="block w-24 rounded-lg md:w-28"
            >
              <Picture src={image.url} alt="" sizes="112px" />
            </button>
          </li>
        ))}
      </ul>
      <Lightbox
        name="후기"
        pictures={images.map(({ url, alt }) => ({ url, alt: alt ?? `${name} 후기 사진` }))}
        at={open ?? 0}
        onAt={setOpen}
        open={open !== undefined}
        onOpenChange={() => setOpen(undefined)}
      />
    </section>
  )
}
