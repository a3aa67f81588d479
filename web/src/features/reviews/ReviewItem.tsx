// One public review: stars, text, pictures that open, and the shop's answer.
import { type ReactNode, useState } from 'react'
import type { Review } from '../../api/types'
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { Lightbox } from '../../ui/ImageLightbox'
import { Picture } from '../../ui/Picture'
import { Rating } from '../../ui/Rating'

type ReviewItemProps = {
  review: Review
  /** Shown instead of the author. */
  head?: ReactNode
  /** Actions on the review. */
  actions?: ReactNode
}

export function ReviewItem({ review, head, actions }: ReviewItemProps) {
  const [open, setOpen] = useState<number>()
  return (
    <article className="py-6">
      {head}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Rating stars={review.star} />
        {review.isBest && <Badge tone="accent">베스트</Badge>}
        {!head && (
          <span className="text-ink-3 text-sm">{review.mine ? '내 후기' : (review.author ?? '탈퇴한 회원')}</span>
        )}
        <DateText value={review.createdAt} className="figures text-ink-3 text-sm" />
      </div>
      {review.optionName && <p className="mt-1 text-ink-3 text-sm">구매 옵션: {review.optionName}</p>}
      <h3 className="mt-2 font-bold">{review.subject}</h3>
      <p className="mt-1 whitespace-pre-line break-words text-ink-2">{review.content}</p>
      {review.images.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {review.images.map((image, i) => (
            <li key={image.url}>
              <button
                type="button"
                onClick={() => setOpen(i)}
                aria-label={`후기 사진 ${i + 1} 크게 보기`}
                className="block w-20 rounded-lg md:w-24"
              >
                <Picture src={image.url} alt="" sizes="96px" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {review.reply && (
        <div className="mt-4 rounded-lg bg-sunken p-4">
          <p className="flex items-center gap-2 font-semibold text-sm">
            판매자 답변
            {review.repliedAt && <DateText value={review.repliedAt} className="figures font-normal text-ink-3" />}
          </p>
          <p className="mt-1 whitespace-pre-line break-words text-ink-2">{review.reply}</p>
        </div>
      )}
      {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      <Lightbox
        name={`‘${review.subject}’ 후기`}
        pictures={review.images.map(({ url, alt }) => ({ url, alt: alt ?? `${review.name} 후기 사진` }))}
        at={open ?? 0}
        onAt={setOpen}
        open={open !== undefined}
        onOpenChange={() => setOpen(undefined)}
      />
    </article>
  )
}
