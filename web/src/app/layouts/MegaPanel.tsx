// The panel of the menu under the header: three levels of categories side by side, and the About Us group.

import type { Category } from '../../features/categories/api'
import { cn } from '../../lib/cn'
import { Link } from '../../ui/Link'
import { ABOUT_US, aboutGroup } from './aboutUs'
import { categoryHref } from './links'

/** `at` is the code of the hovered category. */
export default function MegaPanel({ categories, at }: { categories: readonly Category[]; at: string | undefined }) {
  const about = aboutGroup()
  return (
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
        <section aria-label={ABOUT_US} className="md:border-line md:border-l md:pl-6">
          <p className="font-bold text-lg">{ABOUT_US}</p>
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
  )
}
