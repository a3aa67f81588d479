// Preview of the band banner.
import type { Document } from '../crud/formState'

/** Dark or light text, whichever is readable on the colour. */
function inkOn(colour: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return (r * 299 + g * 587 + b * 114) / 1000 > 150 ? 'var(--color-picture-ink)' : 'var(--color-picture-paper)'
}

export function Preview({ draft }: { draft: Document }) {
  const colour = /^#[0-9a-f]{6}$/i.test(String(draft.color)) ? String(draft.color) : undefined
  return (
    <p
      style={colour ? { background: colour, color: inkOn(colour) } : undefined}
      className="rounded-md bg-picture-ink px-4 py-3 text-center font-medium text-picture-paper text-sm"
    >
      {String(draft.content || '문구를 입력하면 여기에 표시됩니다')}
    </p>
  )
}
