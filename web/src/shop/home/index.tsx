// The first page of the shop: what it stands for, four things to look at, the ways in, and what is new.
import { useQueries } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { type Category, useCategories } from '../../api/categories'
import { paged } from '../../api/client'
import { readOptions, useRead } from '../../api/read'
import type { Products } from '../../api/wire'
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'
import { Carousel } from '../../ui/Carousel'
import { Picture } from '../../ui/Picture'
import { ErrorState, Loading } from '../../ui/states'
import { GridOutline, ProductGrid } from '../parts/ProductCard'

/** The four the shop puts first, by its own codes: one of each kind. */
const FEATURED = ['BK-ROAD-01', 'SC-01', 'KB-01', 'JU-01']
const NEWEST = 8
const PRODUCTS = '/api/v1/shop/products'

/** The pictures of the slider, our own, each with the part of the shop it opens. */
const SLIDES = [
  {
    code: 'BK-ROAD-01',
    category: 'bicycle',
    title: '오래 타는 자전거',
    text: '첫 로드부터 장바구니 단 생활 자전거까지. 몸에 맞는 한 대를 고르세요.',
    ground: 'bg-[#f3ece4]',
  },
  {
    code: 'SC-01',
    category: 'scooter',
    title: '동네를 가볍게, 스쿠터',
    text: '출근길 열 정거장이 십오 분이 됩니다.',
    ground: 'bg-[#e7efec]',
  },
  {
    code: 'JU-01',
    category: 'juice',
    title: '달린 뒤에는 갓 짠 주스',
    text: '그날 짜서 그날 보냅니다. 네 병부터 담아 보세요.',
    ground: 'bg-[#f6eddd]',
  },
] as const

export function Component() {
  const categories = useCategories()
  return (
    <main id="content">
      <h1 className="sr-only">{`${ko.shop.name}: ${ko.shop.slogan}`}</h1>
      <div className="shell mt-4 md:mt-6">
        <Carousel
          label="대표 상품"
          slides={SLIDES.map((slide, i) => ({ key: slide.code, content: <Slide {...slide} first={i === 0} /> }))}
        />
      </div>
      <Featured />
      {categories.length > 0 && <Ways categories={categories} />}
      <Shelf title="새로 들어왔어요" size={NEWEST} query={{ sort: 'LATEST' }} className="mt-16 md:mt-24" />
    </main>
  )
}

function Slide({ code, category, title, text, ground, first }: (typeof SLIDES)[number] & { first: boolean }) {
  return (
    <div
      className={`relative grid h-full overflow-hidden rounded-xl text-[#1b1916] ${ground} md:grid-cols-[1.1fr_1fr] md:items-center`}
    >
      <div className="px-6 pt-8 md:py-20 md:pl-14">
        <p className="font-extrabold text-3xl tracking-tight md:text-4xl">{title}</p>
        <p className="mt-2 max-w-md text-[#57514a] md:mt-3 md:text-lg">{text}</p>
        <Link
          to={`/shop/products?category=${category}`}
          className="mt-5 inline-flex h-11 items-center gap-2 rounded-md bg-[#1b1916] px-5 font-semibold text-[#fff] hover:bg-[#3a352f] focus-visible:outline-[#1b1916] md:mt-7"
        >
          보러 가기
          <ArrowRight aria-hidden className="size-4.5" />
        </Link>
      </div>
      <div className="mx-auto w-full max-w-72 pb-14 md:max-w-[27rem] md:pb-0">
        <img
          src={`/pictures/${code}.webp`}
          alt=""
          width={800}
          height={800}
          fetchPriority={first ? 'high' : 'auto'}
          loading={first ? 'eager' : 'lazy'}
          className="aspect-square w-full object-cover mix-blend-multiply"
        />
      </div>
    </div>
  )
}

/** Four fixed products; one that is no longer sold leaves its place empty. */
function Featured() {
  const { waiting, products } = useQueries({
    queries: FEATURED.map((code) => readOptions<Products>(PRODUCTS, { query: { code } })),
    combine: (answers) => ({
      waiting: answers.some(({ isPending }) => isPending),
      products: answers.flatMap(({ data }) => data?.products.slice(0, 1) ?? []),
    }),
  })
  if (!waiting && products.length === 0) return null
  return (
    <section aria-labelledby="featured" className="shell mt-14 md:mt-20">
      <h2 id="featured" className="mb-5 font-bold text-2xl md:mb-7">
        이번 주 추천
      </h2>
      {waiting ? (
        <Loading>
          <GridOutline count={FEATURED.length} />
        </Loading>
      ) : (
        <ProductGrid products={products} level={3} />
      )}
    </section>
  )
}

type ShelfProps = { title: string; size: number; query: Record<string, string>; className?: string }

function Shelf({ title, size, query, className }: ShelfProps) {
  const { data, error, refetch } = useRead<Products>(PRODUCTS, { query, headers: paged(1, size) })
  const more = `/shop/products?${new URLSearchParams(query)}`
  if (data?.products.length === 0) return null
  return (
    <section aria-label={title} className={className}>
      <div className="shell">
        <div className="mb-5 flex items-baseline justify-between md:mb-7">
          <h2 className="font-bold text-2xl">{title}</h2>
          <Link to={more} className="rounded-xs text-ink-2 text-sm hover:text-ink hover:underline">
            {ko.action.more}
          </Link>
        </div>
        {data ? (
          <ProductGrid products={data.products} level={3} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading>
            <GridOutline count={size} />
          </Loading>
        )}
      </div>
    </section>
  )
}

/** A picture for each way into the shop. */
const FACES: Record<string, string> = {
  bicycle: 'BK-CITY-01',
  scooter: 'SC-03',
  kickboard: 'KB-01',
  juice: 'JU-05',
}

function Ways({ categories }: { categories: readonly Category[] }) {
  return (
    <section aria-label={ko.chrome.categories} className="mt-16 bg-sunken py-12 md:mt-24 md:py-16">
      <div className="shell">
        <h2 className="font-bold text-2xl">무엇을 타 볼까요</h2>
        <ul className="mt-6 grid grid-cols-2 gap-4 md:grid-cols-4 md:gap-6">
          {categories.map((category) => {
            const face = FACES[category.code]
            return (
              <li key={category.code} className="group relative rounded-lg bg-raised p-3 shadow-card md:p-4">
                <Picture src={face && `/pictures/${face}.webp`} alt="" sizes="(width < 64rem) 45vw, 16rem" />
                <p className="mt-3 px-1 font-bold text-lg">
                  <Link
                    to={`/shop/products?category=${encodeURIComponent(category.code)}`}
                    className="after:absolute after:inset-0 after:rounded-lg"
                  >
                    {category.name}
                  </Link>
                </p>
                <p className="truncate px-1 pb-1 text-ink-3 text-sm">
                  {category.children?.map((child) => child.name).join(' · ')}
                </p>
              </li>
            )
          })}
        </ul>
        <div className="mt-8 flex justify-center">
          <ButtonLink to="/shop/products" variant="outline">
            {ko.chrome.allProducts}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
