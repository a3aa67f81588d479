// Banners: slides at a place of the shop, for one kind of screen.
import { useState } from 'react'
import type { ResourceDef, Row } from '../kit/def'
import { at, type Document } from '../kit/draft'
import { SHOWN, showing, showingColumn } from './parts'

const slidesOf = (document: Document): Document[] =>
  Array.isArray(document.slides) ? (document.slides as Document[]) : []

/** The first slide, with how many there are. */
const Slides = ({ row }: { row: Row }) => {
  const slides = slidesOf(row)
  const url = at(slides[0], 'image.url')
  return (
    <span className="inline-flex items-center gap-2">
      {typeof url === 'string' && url !== '' && (
        <img src={url} alt="" loading="lazy" className="h-10 w-16 rounded-sm bg-sunken object-cover" />
      )}
      <span className="figures">{slides.length}장</span>
    </span>
  )
}

/** The slides as a shopper sees them, one at a time. */
function Preview({ draft }: { draft: Document }) {
  const slides = slidesOf(draft)
  const [place, setPlace] = useState(0)
  const slide = slides[Math.min(place, slides.length - 1)]
  const phone = draft.device === 'MOBILE'
  const text = (path: string) => String(at(slide, path) ?? '')
  const url = text('image.url')
  return (
    <div>
      <div
        className={
          phone
            ? 'relative mx-auto aspect-[4/5] w-64 overflow-hidden rounded-lg bg-sunken'
            : 'relative aspect-[3/1] w-full overflow-hidden rounded-lg bg-sunken'
        }
      >
        {url ? (
          <img src={url} alt={text('image.alt')} className="size-full object-cover" />
        ) : (
          <p className="flex size-full items-center justify-center text-ink-3 text-sm">사진을 올리면 여기에 보입니다</p>
        )}
        {(text('meta.title') || text('meta.description') || text('meta.tag')) && (
          <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/70 to-transparent p-4 pt-10 text-white">
            {text('meta.tag') && <p className="font-semibold text-xs">{text('meta.tag')}</p>}
            <p className="font-bold text-lg">{text('meta.title')}</p>
            <p className="text-sm">{text('meta.description')}</p>
          </div>
        )}
      </div>
      {slides.length > 1 && (
        <div className="mt-3 flex justify-center gap-1">
          {slides.map((one, i) => (
            <button
              key={i}
              type="button"
              aria-label={`${i + 1}번째 슬라이드 보기${at(one, 'meta.title') ? `: ${String(at(one, 'meta.title'))}` : ''}`}
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

export const banner: ResourceDef = {
  kind: 'banner',
  page: '/console/banners',
  columns: ['name', 'code', 'device', 'preview', 'showing', 'updatedAt'],
  cells: { preview: { header: '슬라이드', cell: Slides }, ...showingColumn },
  sections: [
    { title: '기본 정보', fields: ['name', 'code', 'device', 'url'] },
    showing,
    { title: '슬라이드', fields: ['slides'] },
  ],
  starts: { device: 'PC', url: '', slides: [], ...SHOWN },
  preview: Preview,
}

/** The banners of one place: their records open in the list's own address. */
export const bannersAt = (code: string): ResourceDef => ({
  ...banner,
  page: `/console/main/banner/${code}`,
  inList: true,
})

/** The places there are. */
export const PLACES: Record<string, string> = { MAIN_1: '메인 1', MAIN_2: '메인 2', RECIPE: '레시피' }
