// The slides of a banner: list cell and preview.
import { useState } from 'react'
import { cn } from '../../lib/cn'
import { PictureSlide } from '../../ui/PictureSlide'
import { type Document, getIn } from '../crud/formState'
import type { Row } from '../crud/resourceDefinition'

const slidesOf = (document: Document): Document[] =>
  Array.isArray(document.slides) ? (document.slides as Document[]) : []

/** The first slide, with the number of slides. */
export const Slides = ({ row }: { row: Row }) => {
  const slides = slidesOf(row)
  const url = getIn(slides[0], 'image.url')
  return (
    <span className="inline-flex items-center gap-2">
      {typeof url === 'string' && url !== '' && (
        <span className="block size-11 overflow-hidden rounded-sm bg-picture">
          <img src={url} alt="" loading="lazy" className="size-full object-cover mix-blend-multiply" />
        </span>
      )}
      <span className="figures">{slides.length}장</span>
    </span>
  )
}

/** The slides as shoppers see them, one at a time. */
export function Preview({ draft }: { draft: Document }) {
  const slides = slidesOf(draft)
  const [chosen, setChosen] = useState(0)
  const index = Math.max(0, Math.min(chosen, slides.length - 1))
  const slide = slides[index]
  const phone = draft.device === 'MOBILE'
  const text = (path: string) => String(getIn(slide, path) ?? '')
  const url = text('image.url')
  const frame = phone ? 'mx-auto aspect-[1.84] w-full max-w-90' : 'aspect-[3/1] w-full'
  return (
    <div>
      {url ? (
        <PictureSlide
          picture={{ url, alt: text('image.alt') }}
          title={text('meta.title')}
          description={text('meta.description')}
          tag={text('meta.tag')}
          index={index}
          variant="small"
          className={frame}
        />
      ) : (
        <p className={cn('flex items-center justify-center rounded-xl bg-sunken text-ink-2 text-sm', frame)}>
          사진을 올리면 여기에 표시됩니다
        </p>
      )}
      {slides.length > 1 && (
        <div className="mt-3 flex justify-center gap-1">
          {slides.map((one, i) => (
            <button
              key={i}
              type="button"
              aria-label={`${i + 1}번째 슬라이드 보기${getIn(one, 'meta.title') ? `: ${String(getIn(one, 'meta.title'))}` : ''}`}
              aria-pressed={one === slide}
              onClick={() => setChosen(i)}
              className="flex size-8 items-center justify-center rounded-full"
            >
              <span className={one === slide ? 'h-2 w-5 rounded-full bg-ink' : 'size-2 rounded-full bg-line-strong'} />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
