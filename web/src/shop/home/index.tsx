// The shop's home page: banners, category shortcuts, four featured products, bestsellers, recipes, ten benefits,
// stores and shops, and new products.

import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { ProductCard as Product } from '../../api/types'
import { type Category, useCategories, useCategoriesPending } from '../../features/categories/api'
import {
  type Advertisement,
  type Device,
  type Slide as SlideData,
  useAdvertisements,
  useBanner,
  useBests,
  useDisplay,
} from '../../features/content/api'
import { GridOutline, ProductCard, ProductGrid } from '../../features/products/ProductCard'
import { ko } from '../../i18n/ko'
import { innerPath, isExternal } from '../../lib/links'
import { useMobile } from '../../lib/media'
import { routeExists } from '../../lib/routeRegistry'
import { ButtonLink } from '../../ui/Button'
import { Carousel } from '../../ui/Carousel'
import { IdleSections } from '../../ui/IdleSections'
import { Link } from '../../ui/Link'
import { optional } from '../../ui/Optional'
import { Picture } from '../../ui/Picture'
import { ScrollRow } from '../../ui/ScrollRow'
import { Section } from '../../ui/Section'
import { ErrorState, Loading } from '../../ui/states'
import { slidesOf } from './fallbackSlides'
import { leadsOn, Slide } from './Slide'
import { Shops, Stores } from './Stores'

const Popups = optional(() => import('./Popups'))

const FEATURED_COUNT = 4
const NEWEST = 8
const RANKED = 10
const PRODUCTS = '/api/v1/shop/products'
const GAP = 'later mt-16 md:mt-24'

export function Component() {
  const categories = useCategories()
  const categoriesPending = useCategoriesPending()
  const device = useMobile() ? 'MOBILE' : 'PC'
  const main = useBanner('MAIN_1', device)
  const slides = main.data?.banner?.slides ?? []
  const shown: readonly SlideData[] = slides.length > 0 || main.isPending ? slides : slidesOf(categories)
  return (
    <main id="content">
      <h1 className="sr-only">{`${ko.shop.name}: ${ko.shop.slogan}`}</h1>
      <div className="shell mt-4 md:mt-6">
        {main.isPending ? (
          <div aria-hidden className="aspect-[1.8375] rounded-xl bg-picture md:aspect-auto md:h-[27rem]" />
        ) : (
          shown.length > 0 && (
            <Carousel
              label="대표 배너"
              slides={shown.map((slide, i) => ({
                key: slide._id,
                content: <Slide slide={slide} index={i} variant="main" />,
              }))}
            />
          )
        )}
      </div>
      {categories.length > 0 ? <CategoryShortcuts categories={categories} /> : categoriesPending && <WaysOutline />}
      <Featured />
      <IdleSections>
        <SecondaryBanner device={device} />
        <Bests />
        <Recommended />
        <Recipes device={device} />
        <Benefits />
        <Stores className={`shell ${GAP}`} />
        <Shops className={`shell ${GAP}`} />
        <Advertisements />
        <Newest />
        <Popups />
      </IdleSections>
    </main>
  )
}

function SecondaryBanner({ device }: { device: Device }) {
  const slides = useBanner('MAIN_2', device).data?.banner?.slides ?? []
  if (slides.length === 0) return null
  return (
    <div className={`shell ${GAP}`}>
      <Carousel
        label="기획 배너"
        slides={slides.map((slide, i) => ({
          key: slide._id,
          content: <Slide slide={slide} index={i + 1} variant="strip" />,
        }))}
      />
    </div>
  )
}

/** Round category pictures, sized for touch. */
function CategoryShortcuts({ categories }: { categories: readonly Category[] }) {
  return (
    <nav aria-label={ko.chrome.categories} className="shell mt-8 md:mt-12">
      <ul className="flex justify-center-safe gap-5 overflow-x-auto md:gap-14">
        {categories.map(({ code, name, visual }) => (
          <li key={code} className="group relative w-18 shrink-0 text-center md:w-28">
            <Picture src={visual?.url} alt="" sizes="112px" round />
            <Link
              to={`/shop/products?category=${encodeURIComponent(code)}`}
              className="mt-2.5 block font-semibold text-sm after:absolute after:inset-0 after:rounded-lg group-hover:text-accent md:text-base"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Placeholder of the shortcuts' height, so that nothing below moves. */
function WaysOutline() {
  return <div aria-hidden className="shell mt-8 h-[6.375rem] md:mt-12 md:h-[9.125rem]" />
}

/** Four fixed products (spec V019, V073) and a link to all (V074). */
function Featured() {
  const { display, isPending } = useDisplay('MAIN_FEATURED')
  const chosen = display?.products?.slice(0, FEATURED_COUNT) ?? []
  return (
    <Section
      title="이번 주 추천"
      more={{ to: '/shop/products', label: '전체 상품 보기' }}
      className={`shell mt-14 md:mt-20`}
    >
      {chosen.length > 0 ? (
        <ProductGrid products={chosen} level={3} first={0} />
      ) : isPending ? (
        <Loading>
          <GridOutline count={FEATURED_COUNT} />
        </Loading>
      ) : (
        <LatestProducts />
      )}
    </Section>
  )
}

/** Used while staff have selected none: the newest products. */
function LatestProducts() {
  const { data, error, refetch } = useApiQuery(PRODUCTS, { headers: paged(1, FEATURED_COUNT) })
  if (data) return <ProductGrid products={data.products} level={3} first={0} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Loading>
      <GridOutline count={FEATURED_COUNT} />
    </Loading>
  )
}

const CARD = 'w-40 xs:w-48 md:w-[13.5rem]'

function Row({ label, products, ranked = false }: { label: string; products: readonly Product[]; ranked?: boolean }) {
  return (
    <ScrollRow
      label={label}
      itemClass={CARD}
      items={products.map((product, i) => ({
        key: product._id,
        content: (
          <ProductCard
            product={product}
            level={3}
            rank={ranked ? i + 1 : undefined}
            best={ranked && i < FEATURED_COUNT - 1}
          />
        ),
      }))}
    />
  )
}

/** About as high as a row of products. */
const RowOutline = () => <div aria-hidden className={`${GAP} h-[27rem]`} />

function Bests() {
  const { data, isPending } = useBests()
  const products = data?.products.slice(0, RANKED) ?? []
  if (isPending) return <RowOutline />
  if (products.length === 0) return null
  return (
    <Section
      title="지금 가장 인기 있는 상품"
      lead="많이 팔린 순서대로 보여 드립니다."
      more={{ to: '/shop/best' }}
      className={`shell ${GAP}`}
    >
      <Row label="베스트 상품" products={products} ranked />
    </Section>
  )
}

function Recommended() {
  const { display, isPending } = useDisplay('RECOMMENDATION')
  const products = display?.products ?? []
  if (isPending) return <RowOutline />
  if (products.length === 0) return null
  return (
    <Section title={display?.name || '장부 추천 상품'} className={`shell ${GAP}`}>
      <Row label="추천 상품" products={products} />
    </Section>
  )
}

const RECIPES = '/about/blog'

/** The recipe banner (spec V020) links to all recipes (V075); until there are any, to its own target, if it has one. */
function Recipes({ device }: { device: Device }) {
  const { data } = useBanner('RECIPE', device)
  const slide = data?.banner?.slides?.[0]
  const url = routeExists(RECIPES) ? RECIPES : slide?.url
  if (!slide || !url || !leadsOn({ ...slide, url })) return null
  return (
    <section aria-label="레시피" className={`shell ${GAP}`}>
      <Slide slide={{ ...slide, url }} index={2} variant="strip" />
    </section>
  )
}

const MERITS = 10

/** Ten benefits of the products (spec V021). */
function Benefits() {
  const { display, isPending } = useDisplay('MERIT')
  const items = display?.items?.slice(0, MERITS) ?? []
  if (isPending) return <RowOutline />
  if (items.length === 0) return null
  return (
    <section aria-labelledby="merits" className={`${GAP} bg-sunken py-14 md:py-20`}>
      <div className="shell">
        <h2 id="merits" className="text-center font-bold text-2xl md:text-[1.75rem]">
          {display?.name || '한 병에 담은 열 가지'}
        </h2>
        <ol className="mt-8 grid grid-cols-2 gap-3 sm:grid-cols-3 md:mt-12 md:grid-cols-5 md:gap-5">
          {items.map(({ title, content, image }, i) => (
            <li key={title} className="flex flex-col rounded-lg bg-raised p-4 shadow-card md:p-5">
              {image?.url && <Picture src={image.url} alt="" sizes="(width < 64rem) 45vw, 14rem" className="mb-4" />}
              <span className="figures font-bold text-accent text-xs">{String(i + 1).padStart(2, '0')}</span>
              <h3 className="mt-1 font-bold text-lg">{title}</h3>
              <p className="mt-1 text-ink-2 text-sm">{content}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** At most four (spec V271). */
function Advertisements() {
  const { data } = useAdvertisements()
  const advertisements = data?.bannerAdvertisements.slice(0, FEATURED_COUNT) ?? []
  if (advertisements.length === 0) return null
  return (
    <section aria-label="광고" className={`shell ${GAP}`}>
      <ul className="grid gap-3 sm:grid-cols-2 md:grid-cols-4 md:gap-5">
        {advertisements.map((one) => (
          <li key={one._id}>
            <Advert advert={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Advert({ advert: { name, image, url, target } }: { advert: Advertisement }) {
  const shown = (
    <>
      <Picture src={image.url} alt="" sizes="96px" className="w-20 shrink-0 md:w-24" />
      <span className="min-w-0 py-2">
        <span className="line-clamp-2 font-bold group-hover:underline">{name}</span>
        <span className="text-ink-3 text-xs">광고</span>
      </span>
    </>
  )
  const look = 'group flex h-full items-center gap-3 rounded-lg border border-line bg-raised p-2 md:gap-4'
  if (!url || (!isExternal(url) && !routeExists(innerPath(url)))) return <div className={look}>{shown}</div>
  return isExternal(url) || target === '_blank' ? (
    <a href={url} target="_blank" rel="noreferrer" className={look}>
      {shown}
    </a>
  ) : (
    <Link to={innerPath(url)} className={look}>
      {shown}
    </Link>
  )
}

function Newest() {
  const { data, error, refetch } = useApiQuery(PRODUCTS, {
    query: { sort: 'LATEST' },
    headers: paged(1, NEWEST),
  })
  if (data?.products.length === 0) return null
  return (
    <Section title="새로 들어왔어요" more={{ to: '/shop/products?sort=LATEST' }} className={`shell ${GAP}`}>
      {data ? (
        <ProductGrid products={data.products} level={3} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <GridOutline count={NEWEST} />
        </Loading>
      )}
      <div className="mt-10 flex justify-center">
        <ButtonLink to="/shop/products" variant="outline" size="lg">
          {ko.chrome.allProducts} 보기
        </ButtonLink>
      </div>
    </Section>
  )
}
