// One line out of several, sliding up every three seconds for half a second (spec V248, V249); it pauses on hover and with
// reduced motion.
import { type ReactNode, useEffect, useState } from 'react'
import { cn } from '../lib/cn'
import { wantsStill } from '../lib/media'

export const TICK_MS = 3000

export function RotatingText({
  label,
  items,
  className,
}: {
  label: string
  items: readonly { key: string; content: ReactNode }[]
  className?: string
}) {
  const [at, setAt] = useState(0)
  const [held, setHeld] = useState(false)
  const count = items.length
  useEffect(() => {
    if (held || count < 2 || wantsStill()) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), TICK_MS)
    return () => clearInterval(timer)
  }, [held, count])
  return (
    <section
      aria-label={label}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={cn('relative h-[1.6em] overflow-hidden', className)}
    >
      {items.map((item, i) => (
        <div
          key={item.key}
          inert={i !== at}
          className="absolute inset-x-0 top-0 truncate transition-[translate,opacity] duration-500"
          style={{
            translate: `0 ${i === at ? 0 : i === (at - 1 + count) % count ? -100 : 100}%`,
            opacity: i === at ? 1 : 0,
          }}
        >
          {item.content}
        </div>
      ))}
    </section>
  )
}
