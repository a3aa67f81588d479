// Enlarged pictures: over the whole page, and zoomed under the pointer.
import { ChevronLeft, ChevronRight, X, ZoomIn } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type PointerEvent, useRef, useState } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { useFocusReturn } from './focusReturn'
import { useDismissableLayer } from './layers'
import { Picture } from './Picture'
import { useSwipe } from './useSwipe'

type LightboxPicture = { url: string; alt?: string | null }
type LightboxProps = {
  /** Subject of the pictures. */
  name: string
  pictures: readonly LightboxPicture[]
  at: number
  onAt: (at: number) => void
  open: boolean
  onOpenChange: (open: boolean) => void
}

const GROWN = 2.2
const GROWN_SIZES = '80rem'
const KNOB =
  'absolute top-1/2 flex size-12 -translate-y-1/2 items-center justify-center rounded-full bg-picture-paper/85 text-picture-ink shadow-pop hover:bg-picture-paper'

/** The pictures over the whole page, one at a time: by buttons, arrow keys or swipe. */
export function Lightbox({ name, pictures, at, onAt, open, onOpenChange }: LightboxProps) {
  useDismissableLayer(open, () => onOpenChange(false))
  const shown = pictures[at] ?? pictures[0]
  const go = (step: number) => onAt((at + step + pictures.length) % pictures.length)
  const swipe = useSwipe(go)
  const focus = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-picture-paper" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          onKeyDown={(event) => {
            if (event.key === 'ArrowLeft') go(-1)
            if (event.key === 'ArrowRight') go(1)
          }}
          {...swipe}
          className="fixed inset-0 z-50 flex items-center justify-center p-4 text-picture-ink focus:outline-none"
        >
          <Radix.Title className="sr-only">{`${name} 사진 크게 보기`}</Radix.Title>
          <img src={shown?.url} alt={shown?.alt || name} className="max-h-full max-w-full object-contain" />
          {pictures.length > 1 && (
            <>
              <button
                type="button"
                aria-label={ko.action.previous}
                onClick={() => go(-1)}
                className={cn(KNOB, 'left-4')}
              >
                <ChevronLeft aria-hidden className="size-6" />
              </button>
              <button type="button" aria-label={ko.action.next} onClick={() => go(1)} className={cn(KNOB, 'right-4')}>
                <ChevronRight aria-hidden className="size-6" />
              </button>
              <p
                aria-live="polite"
                className="figures absolute bottom-6 rounded-full bg-picture-ink/80 px-3 py-1 text-picture-paper text-sm"
              >
                {at + 1} / {pictures.length}
              </p>
            </>
          )}
          <Radix.Close
            aria-label={ko.action.close}
            className="absolute top-4 right-4 flex size-12 items-center justify-center rounded-full bg-picture-paper/85 hover:bg-picture-paper-2"
          >
            <X aria-hidden className="size-6" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ZoomProps = Omit<LightboxProps, 'open' | 'onOpenChange'> & { className?: string }

/** A picture that zooms under the pointer and opens the {@link Lightbox}. */
export function Zoom({ name, pictures, at, onAt, className }: ZoomProps) {
  const [origin, setOrigin] = useState<string>()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLButtonElement>(null)
  const shown = pictures[at] ?? pictures[0]
  const follow = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || !box.current) return
    const { left, top, width, height } = box.current.getBoundingClientRect()
    setOrigin(`${((event.clientX - left) / width) * 100}% ${((event.clientY - top) / height) * 100}%`)
  }
  return (
    <>
      <button
        ref={box}
        type="button"
        aria-haspopup="dialog"
        aria-label={`${name} 사진 크게 보기`}
        onClick={() => setOpen(true)}
        onPointerMove={follow}
        onPointerLeave={() => setOrigin(undefined)}
        className={cn('group/zoom relative block w-full cursor-zoom-in overflow-hidden rounded-lg', className)}
      >
        <span
          className="block transition-transform duration-200 ease-out"
          style={{ transformOrigin: origin, scale: origin ? GROWN : 1 }}
        >
          <Picture
            src={shown?.url}
            alt={shown?.alt || name}
            first
            sizes={origin ? GROWN_SIZES : '(width < 64rem) calc(100vw - 2.5rem), 36rem'}
          />
        </span>
        <span
          aria-hidden
          className="absolute right-3 bottom-3 flex size-10 items-center justify-center rounded-full bg-picture-paper/85 text-picture-ink opacity-90 transition-opacity group-hover/zoom:opacity-0"
        >
          <ZoomIn className="size-5" />
        </span>
      </button>
      <Lightbox name={name} pictures={pictures} at={at} onAt={onAt} open={open} onOpenChange={setOpen} />
    </>
  )
}
