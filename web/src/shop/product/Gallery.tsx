// The pictures of a product: one large to look at closely, the others to choose from. On a phone one swipes through them.
import { useState } from 'react'
import type { PictureRef } from '../../api/types'
import { cn } from '../../lib/cn'
import { Zoom } from '../../ui/ImageLightbox'
import { Picture } from '../../ui/Picture'
import { useSwipe } from '../../ui/useSwipe'

export function Gallery({ name, pictures }: { name: string; pictures: readonly PictureRef[] }) {
  const [at, setAt] = useState(0)
  const swipe = useSwipe((step) => setAt((now) => Math.min(pictures.length - 1, Math.max(0, now + step))))
  return (
    <div className="md:sticky md:top-40 md:self-start">
      <div className="relative max-md:-mx-5" {...swipe}>
        <Zoom name={name} pictures={pictures} at={at} onAt={setAt} className="max-md:rounded-none" />
        {pictures.length > 1 && (
          <p className="figures pointer-events-none absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full bg-picture-ink/70 px-2.5 py-0.5 text-picture-paper text-xs md:hidden">
            {at + 1} / {pictures.length}
          </p>
        )}
      </div>
      {pictures.length > 1 && (
        <ul aria-label="상품 사진" className="mt-3 flex gap-2 overflow-x-auto p-0.5">
          {pictures.map((picture, i) => (
            <li key={picture.url}>
              <button
                type="button"
                aria-label={`${i + 1}번째 사진`}
                aria-pressed={i === at}
                onClick={() => setAt(i)}
                className={cn('block w-17 rounded-lg', i === at && 'ring-2 ring-ink')}
              >
                <Picture src={picture.url} alt="" sizes="68px" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
