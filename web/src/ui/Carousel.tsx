// The picture slider: advances every 5 s, fades for 500 ms, loops (spec V069, V250-V252). It pauses on hover and focus.
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { useSwipe } from './useSwipe'

export const SLIDE_MS = 5000

type CarouselProps = { label: string; slides: readonly { key: string; content: ReactNode }[]; className?: string }

const KNOB =
  'flex size-8 items-center justify-center rounded-full bg-picture-paper/80 text-picture-ink backdrop-blur transition hover:bg-picture-paper md:size-9'
const reducedMotion = (): boolean => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

export function Carousel({ label, slides, className }: CarouselProps) {
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(() => !reducedMotion())
  const [held, setHeld] = useState(false)
  const count = slides.length
  const go = (step: number) => setAt((now) => (now + step + count) % count)
  const swipe = useSwipe(go)

  useEffect(() => {
    if (!playing || held || count < 2) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), SLIDE_MS)
    return () => clearInterval(timer)
  }, [playing, held, count])

  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      {...swipe}
      className={cn('relative grid overflow-hidden', className)}
    >
      {slides.map((slide, i) => (
        // biome-ignore lint/a11y/useSemanticElements: a slide is a group in the carousel pattern, not a fieldset
        <div
          key={slide.key}
          role="group"
          aria-roledescription="slide"
          aria-label={`${i + 1} / ${count}`}
          inert={i !== at}
          className={cn(
            'col-start-1 row-start-1 transition-opacity duration-500',
            i === at ? 'opacity-100' : 'opacity-0',
          )}
        >
          {slide.content}
        </div>
      ))}
      {count > 1 && (
        <div className="absolute right-2.5 bottom-2.5 flex items-center gap-1 md:right-5 md:bottom-5 md:gap-1.5">
          <button
            type="button"
            aria-label={ko.action.previous}
            onClick={() => go(-1)}
            className={cn(KNOB, 'max-md:hidden')}
          >
            <ChevronLeft aria-hidden className="size-4.5" />
          </button>
          <span className="figures rounded-full bg-picture-paper/80 px-2.5 py-1 font-semibold text-picture-ink text-xs backdrop-blur md:px-3 md:py-1.5">
            {at + 1} / {count}
          </span>
          <button type="button" aria-label={ko.action.next} onClick={() => go(1)} className={cn(KNOB, 'max-md:hidden')}>
            <ChevronRight aria-hidden className="size-4.5" />
          </button>
          <button
            type="button"
            aria-label={playing ? '자동 재생 멈추기' : '자동 재생 시작'}
            onClick={() => setPlaying(!playing)}
            className={KNOB}
          >
            {playing ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
          </button>
        </div>
      )}
    </section>
  )
}
