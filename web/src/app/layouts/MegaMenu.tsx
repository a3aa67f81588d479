// The category tree under the header, three levels of it, and the About Us group (spec V025, V088). Opens on hover and with its button,
// and closes with Escape and on navigation.
import { Menu, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useCategories } from '../../features/categories/api'
import { pathTo } from '../../features/categories/pathTo'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Link, NavLink } from '../../ui/Link'
import { optional } from '../../ui/Optional'
import { categoryHref, shelves } from './links'

const MegaPanel = optional(() => import('./MegaPanel'))

const t = ko.chrome
const TOP = 'flex h-12 items-center rounded-sm font-semibold text-ink hover:text-accent aria-[current=page]:text-accent'
/** Delay, so that a pointer passing over the bar opens nothing. */
const REST_MS = 140

export function MegaMenu() {
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState<string>()
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const categories = useCategories()
  const { key, pathname } = useLocation()
  const [params] = useSearchParams()
  const listed = params.get('category')
  /** The top category of the current product list; undefined for all products. */
  const top = listed ? pathTo(listed, categories)[0] : undefined
  const current = (on: boolean) => (on && pathname === '/shop/products' ? 'page' : undefined)
  const here = useRef(key)
  if (here.current !== key) {
    here.current = key
    if (open) setOpen(false)
  }
  const soon = (next: boolean) => {
    clearTimeout(resting.current)
    resting.current = setTimeout(() => setOpen(next), REST_MS)
  }
  const wasOpened = useRef(false)
  wasOpened.current ||= open
  return (
    <nav
      aria-label={t.main}
      className="hidden md:block"
      onPointerLeave={(event) => event.pointerType === 'mouse' && soon(false)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <div className="shell flex items-center gap-8">
        <button
          type="button"
          aria-expanded={open}
          aria-controls="mega"
          onClick={() => {
            clearTimeout(resting.current)
            setOpen(!open)
          }}
          className={cn(TOP, 'gap-2')}
        >
          {open ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
          {t.categories}
        </button>
        <ul
          className="flex gap-8 border-line border-l pl-8"
          onPointerEnter={(event) => event.pointerType === 'mouse' && categories.length > 0 && soon(true)}
        >
          <li>
            <Link to="/shop/products" aria-current={current(!listed)} className={TOP}>
              {t.allProducts}
            </Link>
          </li>
          {categories.map((category) => (
            <li key={category._id} onPointerEnter={() => setAt(category.code)}>
              <Link to={categoryHref(category.code)} aria-current={current(category === top)} className={TOP}>
                {category.name}
              </Link>
            </li>
          ))}
        </ul>
        <ul className="ml-auto flex gap-7">
          {shelves().map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to} className={cn(TOP, 'font-medium text-ink-2')}>
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </div>
      <div
        id="mega"
        hidden={!open}
        onPointerEnter={() => soon(true)}
        className="absolute inset-x-0 top-full max-h-[70dvh] animate-fade overflow-y-auto border-line border-y bg-raised shadow-pop"
      >
        {wasOpened.current && <MegaPanel categories={categories} at={at} />}
      </div>
    </nav>
  )
}
