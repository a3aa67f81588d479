// Back to the top, once one has scrolled past a quarter of the window's height (spec V082).
import { ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ko } from '../../i18n/ko'

export function ToTop() {
  const [far, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(window.scrollY > window.innerHeight / 4)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  if (!far) return null
  return (
    <button
      type="button"
      aria-label={ko.action.toTop}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      className="fixed right-4 bottom-20 z-30 flex size-11 animate-fade items-center justify-center rounded-full border border-line bg-raised text-ink shadow-pop hover:bg-sunken md:right-8 md:bottom-8"
    >
      <ArrowUp aria-hidden className="size-5" />
    </button>
  )
}
