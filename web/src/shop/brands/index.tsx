// All brands by 초성 and alphabet; a letter in the address filters them.
import { ChevronRight, Tags } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useBrands } from '../../features/content/api'
import { cn } from '../../lib/cn'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { PageTitle } from '../../ui/Section'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { BrandMark } from './BrandMark'
import { ALPHABET, byLetter, CONSONANTS, lettersOf, ofLetter, REST } from './initials'

/** Letters with few brands share a row of two, four or six columns. */
const SPANS: Record<number, string> = {
  1: 'col-span-1',
  2: 'col-span-2',
  3: 'col-span-2 sm:col-span-3',
  4: 'col-span-2 sm:col-span-4',
  5: 'col-span-2 sm:col-span-4 lg:col-span-5',
  6: 'col-span-2 sm:col-span-4 lg:col-span-6',
}

export function Component() {
  const [params] = useSearchParams()
  const letter = params.get('chars') || undefined
  const { data, error, refetch } = useBrands()
  const brands = data?.brands ?? []
  const shown = letter ? ofLetter(letter, brands) : byLetter(brands)
  const has = new Set(brands.flatMap(lettersOf))
  return (
    <main id="content" className="shell py-8 md:py-12">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PageTitle lead="이름의 첫 글자로 찾아보세요.">브랜드</PageTitle>
        <Link
          to="/shop/brands/view"
          className="flex items-center rounded-xs py-1 text-ink-2 text-sm hover:text-ink hover:underline"
        >
          브랜드 한눈에 보기
          <ChevronRight aria-hidden className="size-4" />
        </Link>
      </div>
      <nav aria-label="첫 글자" className="mt-6 grid gap-1.5 rounded-lg bg-sunken p-3 md:p-4">
        <LetterFilter letters={['', ...CONSONANTS]} current={letter} has={has} />
        <LetterFilter letters={[...ALPHABET, REST]} current={letter} has={has} />
      </nav>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="mt-8 grid grid-cols-2 gap-4 sm:grid-cols-3 md:grid-cols-5">
          {Array.from({ length: 10 }, (_, i) => i).map((i) => (
            <Skeleton key={i} className="h-36 rounded-lg" />
          ))}
        </Loading>
      ) : shown.length === 0 ? (
        <EmptyState
          icon={<Tags />}
          title={letter ? `‘${letter}’로 시작하는 브랜드가 없습니다` : '아직 브랜드가 없습니다'}
          action={
            letter ? (
              <ButtonLink to="/shop/brands">모든 브랜드</ButtonLink>
            ) : (
              <ButtonLink to="/shop/products">전체 상품</ButtonLink>
            )
          }
        />
      ) : (
        <div className="mt-4 grid grid-cols-2 gap-x-4 sm:grid-cols-4 md:gap-x-6 lg:grid-cols-6 lg:gap-x-8">
          {shown.map((group) => (
            <section
              key={group.letter}
              aria-labelledby={`letter-${group.letter}`}
              className={cn('grid grid-cols-subgrid content-start py-6', SPANS[Math.min(group.brands.length, 6)])}
            >
              <h2
                id={`letter-${group.letter}`}
                className="col-span-full border-line border-b pb-2 font-extrabold text-xl"
              >
                {group.letter === REST ? '기타' : group.letter}
              </h2>
              <ul className="col-span-full mt-3 grid grid-cols-subgrid gap-y-6">
                {group.brands.map((brand) => (
                  <li key={brand._id} className="group relative">
                    <BrandMark brand={brand} className="aspect-[1.5] w-full transition-colors group-hover:border-ink" />
                    <Link
                      to={`/shop/brands/${encodeURIComponent(brand.code)}`}
                      className="mt-2 block font-semibold after:absolute after:inset-0 after:rounded-lg"
                    >
                      {brand.name}
                    </Link>
                    <p className="flex justify-between gap-2 text-ink-3 text-sm">
                      <span className="truncate">{brand.nameEn}</span>
                      {brand.productCount !== undefined && <span className="figures">{brand.productCount}개</span>}
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </main>
  )
}

type LetterFilterProps = { letters: readonly string[]; current: string | undefined; has: ReadonlySet<string> }

/** The first, empty one means all; a letter without brands is disabled. */
function LetterFilter({ letters, current, has }: LetterFilterProps) {
  return (
    <ul className="flex flex-wrap gap-1">
      {letters.map((letter) => {
        const on = (current ?? '') === letter
        const word = letter === '' ? '전체' : letter === REST ? '기타' : letter
        const look = 'flex h-9 min-w-9 items-center justify-center rounded-sm px-2 text-sm'
        return (
          <li key={letter}>
            {letter === '' || has.has(letter) ? (
              <Link
                to={letter === '' ? '/shop/brands' : `/shop/brands?chars=${encodeURIComponent(letter)}`}
                aria-current={on}
                preventScrollReset
                className={cn(look, on ? 'bg-ink font-bold text-on-ink' : 'font-semibold hover:bg-raised')}
              >
                {word}
              </Link>
            ) : (
              <span aria-hidden className={cn(look, 'text-ink-3')}>
                {word}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
