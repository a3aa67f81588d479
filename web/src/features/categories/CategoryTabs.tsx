// Tabs for all products, and for each category, stored in the address (spec V085).

import { ko } from '../../i18n/ko'
import { Link } from '../../ui/Link'

type CategoryTabsProps = {
  categories: readonly { code: string; name: string }[]
  current: string | undefined
  hrefOf: (code?: string) => string
  className?: string
}

const TAB =
  '-mb-px flex h-12 shrink-0 items-center border-transparent border-b-2 font-medium text-ink-3 hover:text-ink aria-[current=true]:border-ink aria-[current=true]:font-bold aria-[current=true]:text-ink'

export function CategoryTabs({ categories, current, hrefOf, className }: CategoryTabsProps) {
  return (
    <nav aria-label={ko.chrome.categories} className={className}>
      <ul className="flex gap-6 overflow-x-auto border-line border-b [scrollbar-width:none]">
        <li className="flex">
          <Link to={hrefOf()} aria-current={current === undefined} className={TAB}>
            전체
          </Link>
        </li>
        {categories.map(({ code, name }) => (
          <li key={code} className="flex">
            <Link to={hrefOf(code)} aria-current={code === current} className={TAB}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
