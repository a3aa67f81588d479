// Search and categories of a list of the customer centre; both are stored in the address.
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { Button } from '../../ui/Button'
import { Input } from '../../ui/Input'
import { Link } from '../../ui/Link'

const MAX_LENGTH = 100

/** The choices in an address. */
export function useCenterFilter() {
  const [params] = useSearchParams()
  return { category: params.get('category') ?? '', searchValue: params.get('searchValue') ?? '' }
}

type CenterFilterProps = { label: string; categories: Record<string, string> }

export function CenterFilter({ label, categories }: CenterFilterProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { category, searchValue } = useCenterFilter()
  const hrefOf = (chosen: string, text: string) => {
    const parts = [chosen && `category=${chosen}`, text && `searchValue=${encodeURIComponent(text)}`].filter(Boolean)
    return parts.length ? `${pathname}?${parts.join('&')}` : pathname
  }
  return (
    <>
      <form
        key={searchValue}
        className="mt-6 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('searchValue') ?? '').trim()
          void navigate(hrefOf(category, text))
        }}
      >
        <Input
          type="search"
          name="searchValue"
          aria-label={label}
          placeholder={label}
          defaultValue={searchValue}
          maxLength={MAX_LENGTH}
        />
        <Button type="submit" variant="outline">
          검색
        </Button>
      </form>
      <nav aria-label="분류" className="mt-4">
        <ul className="flex flex-wrap gap-2">
          {Object.entries({ '': '전체', ...categories }).map(([value, name]) => (
            <li key={value}>
              <Link
                to={hrefOf(value, searchValue)}
                preventScrollReset
                aria-current={value === category}
                className="flex min-h-9 items-center rounded-full border border-line px-3.5 text-ink-2 text-sm hover:border-ink hover:text-ink aria-[current=true]:border-ink aria-[current=true]:bg-ink aria-[current=true]:font-semibold aria-[current=true]:text-on-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
