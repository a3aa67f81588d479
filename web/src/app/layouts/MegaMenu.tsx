// The category tree under the header, three levels of it, and the About Us group (spec V025, V088). It opens under the pointer and with
// its button, and closes with Escape and when one goes on.
import { Menu, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useCategories } from '../../api/categories'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { aboutGroup, categoryHref, shelves } from './links'

const t = ko.chrome
const TOP = 'flex h-12 items-center rounded-sm font-semibold text-ink hover:text-accent'
/** A pointer that only passes over the bar opens nothing. */
const REST_MS = 140

export function MegaMenu() {
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState<string>()
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const categories = useCategories()
  const { key } = useLocation()
  const here = useRef(key)
  if (here.current !== key) {
    here.current = key
    if (open) setOpen(false)
  }
  const soon = (next: boolean) => {
    clearTimeout(resting.current)
    resting.current = setTimeout(() => setOpen(next), REST_MS)
  }
  const about = aboutGroup()
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
            <Link to="/shop/products" className={TOP}>
              {t.allProducts}
            </Link>
          </li>
          {categories.map((category) => (
            <li key={category._id} onPointerEnter={() => setAt(category.code)}>
              <Link to={categoryHref(category.code)} className={TOP}>
                {category.name}
              </Link>
            </li>
          ))}
        </ul>
        <ul className="ml-auto flex gap-7">
          {shelves().map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={cn(TOP, 'font-medium text-ink-2')}>
                {label}
              </Link>
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
        <div className="shell grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-6 gap-y-8 py-8">
          {categories.map((category) => (
            <section key={category._id} aria-label={category.name}>
              <Link
                to={categoryHref(category.code)}
                className={cn('font-bold text-lg hover:text-accent', at === category.code && 'text-accent')}
              >
                {category.name}
              </Link>
              <ul className="mt-3 grid gap-1">
                {category.children?.map((child) => (
                  <li key={child._id}>
                    <Link to={categoryHref(child.code)} className="block rounded-xs py-1 text-ink-2 hover:text-accent">
                      {child.name}
                    </Link>
                    {child.children && child.children.length > 0 && (
                      <ul className="mb-1 border-line border-l pl-3">
                        {child.children.map((leaf) => (
                          <li key={leaf._id}>
                            <Link
                              to={categoryHref(leaf.code)}
                              className="block rounded-xs py-0.5 text-ink-3 text-sm hover:text-accent"
                            >
                              {leaf.name}
                            </Link>
                          </li>
                        ))}
                      </ul>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {about.length > 0 && (
            <section aria-label={t.aboutGroup} className="md:border-line md:border-l md:pl-6">
              <p className="font-bold text-lg">{t.aboutGroup}</p>
              <ul className="mt-3 grid gap-1">
                {about.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} className="block rounded-xs py-1 text-ink-2 hover:text-accent">
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </nav>
  )
}
