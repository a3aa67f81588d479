// Position and size of a popup.

import { type Document, getIn } from '../crud/formState'
import type { Row } from '../crud/resourceDefinition'

/** The window the preview is drawn for, in pixels. */
const SCREEN = { width: 1280, height: 800 }

const px = (value: unknown): number => Math.max(0, Number.parseInt(String(value), 10) || 0)

/** A small window with the popup at its position; its text is shown without formatting. */
export function Preview({ draft }: { draft: Document }) {
  const percent = (value: unknown, of: number) => `${(px(value) / of) * 100}%`
  const url = getIn(draft, 'image.url')
  const text = String(draft.content ?? '')
    .replace(/<[^>]*>/g, ' ')
    .trim()
  const outside = px(draft.left) + px(draft.width) > SCREEN.width || px(draft.top) + px(draft.height) > SCREEN.height
  return (
    <div>
      <div
        className="relative w-full overflow-hidden rounded-lg border border-line bg-sunken"
        style={{ aspectRatio: `${SCREEN.width} / ${SCREEN.height}` }}
      >
        <div aria-hidden className="h-[8%] border-line border-b bg-raised" />
        <div
          className="absolute overflow-hidden rounded-sm border border-ink bg-raised text-[0.65rem] shadow-pop"
          style={{
            left: percent(draft.left, SCREEN.width),
            top: percent(draft.top, SCREEN.height),
            width: percent(draft.width, SCREEN.width),
            height: percent(draft.height, SCREEN.height),
          }}
        >
          {typeof url === 'string' && url !== '' && (
            <img src={url} alt={String(getIn(draft, 'image.alt') ?? '')} className="max-h-[70%] w-full object-cover" />
          )}
          <p className="p-1.5">{text || String(draft.name ?? '')}</p>
        </div>
      </div>
      <p className="mt-2 text-ink-3 text-sm">
        {SCREEN.width}×{SCREEN.height} 화면 기준 위치입니다. 휴대폰에서는 화면 가운데에 표시됩니다.
        {outside && <strong className="block text-warning">이 화면에서는 일부가 화면 밖으로 벗어납니다.</strong>}
      </p>
    </div>
  )
}

export const PopupPositionCell = ({ row }: { row: Row }) => (
  <span className="figures">
    왼쪽 {px(row.left)}px, 위 {px(row.top)}px · {px(row.width)}×{px(row.height)}px
  </span>
)
