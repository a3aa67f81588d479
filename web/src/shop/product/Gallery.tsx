// The pictures of a product: one large, the others to choose from. On a phone one swipes through them.
import { useState } from 'react'
import type { PictureRef } from '../../api/wire'
import { cn } from '../../lib/cn'
import { Picture } from '../../ui/Picture'

export function Gallery({ name, pictures }: { name: string; pictures: readonly PictureRef[] }) {
  const [at, setAt] = useState(0)
  const shown = pictures[at] ?? pictures[0]
  return (
    <div>
      <Picture src={shown?.url} alt={shown?.alt || name} first sizes="(width < 64rem) 100vw, 36rem" />
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
