// The slides of a banner, in a list and about as a shopper sees them.
import { useState } from 'react'
import { cn } from '../../lib/cn'
import { type Document, getIn } from '../crud/formState'
import type { Row } from '../crud/resourceDefinition'

const slidesOf = (document: Document): Document[] =>
  Array.isArray(document.slides) ? (document.slides as Document[]) : []

/** The first slide, with how many there are. */
export const Slides = ({ row }: { row: Row }) => {
  const slides = slidesOf(row)
  const url = getIn(slides[0], 'image.url')
  return (
    <span className="flex items-center gap-2">
      {typeof url === 'string' && url !== '' && (
        <span className="block size-11 overflow-hidden rounded-sm bg-picture">
          <img src={url} alt="" loading="lazy" className="size-full object-cover mix-blend-multiply" />
        </span>
      )}
      <span className="figures">{slides.length}장</span>
    </span>
  )
}

/** From this shape on a picture fills the slide. */
const WIDE = 1.4

/** The slides about as a shopper sees them, one at a time. */
export function Preview({ draft }: { draft: Document }) {
  const slides = slidesOf(draft)
  const [place, setPlace] = useState(0)
  const [wide, setWide] = useState<Record<string, boolean>>({})
  const slide = slides[Math.min(place, slides.length - 1)]
  const phone = draft.device === 'MOBILE'
  const text = (path: string) => String(getIn(slide, path) ?? '')
  const url = text('image.url')
  return (
    <div>
      <div
        className={cn(
          'relative overflow-hidden rounded-lg',
          // A picture is on white in the dark, too.
          url ? 'bg-picture text-[#1b1916]' : 'bg-sunken text-ink',
          phone ? 'mx-auto aspect-[1.84] w-full max-w-90' : 'aspect-[3/1] w-full',
        )}
      >
        {url ? (
          <img
            src={url}
            alt={text('image.alt')}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setWide((now) => ({ ...now, [url]: naturalWidth / naturalHeight > WIDE }))
            }
            className={cn(
              'absolute mix-blend-multiply',
              wide[url] ? 'inset-0 size-full object-cover' : 'right-0 bottom-0 h-full w-1/2 object-contain',
            )}
          />
        ) : (
          <p className="flex size-full items-center justify-center text-ink-2 text-sm">
            사진을 올리면 여기에 표시됩니다
          </p>
        )}
        {(text('meta.title') || text('meta.description') || text('meta.tag')) && (
          <div className="absolute inset-y-0 left-0 flex w-[58%] flex-col items-start justify-center px-6">
            {text('meta.tag') && (
              <p className="mb-1.5 rounded-full bg-[#1b1916] px-2.5 py-1 font-bold text-[#fff] text-[0.6875rem] leading-none">
                {text('meta.tag')}
              </p>
            )}
            <p className="font-extrabold text-xl leading-tight">{text('meta.title')}</p>
            <p className="mt-1 text-sm opacity-75">{text('meta.description')}</p>
          </div>
        )}
      </div>
      {slides.length > 1 && (
        <div className="mt-3 flex justify-center gap-1">
          {slides.map((one, i) => (
            <button
              key={i}
              type="button"
              aria-label={`${i + 1}번째 슬라이드 보기${getIn(one, 'meta.title') ? `: ${String(getIn(one, 'meta.title'))}` : ''}`}
              aria-pressed={one === slide}
              onClick={() => setPlace(i)}
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
