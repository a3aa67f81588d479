// One product: pictures, price, options, delivery and the way into the cart. On a phone the options come from below.
import { ChevronRight, Coins, Store, Truck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { paged } from '../../api/client'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { ProductCard, ProductDetail } from '../../api/types'
import { useCategories } from '../../features/categories/api'
import { pathTo } from '../../features/categories/pathTo'
import { LikeButton } from '../../features/likes/LikeButton'
import { extraTexts, fareText } from '../../features/orders/fares'
import { ProductGrid } from '../../features/products/ProductCard'
import { useRememberRecent } from '../../features/products/recentlyViewed'
import { grouped } from '../../i18n/number'
import { loginPath } from '../../lib/loginRedirect'
import { useTitle } from '../../lib/pageContext'
import { routeExists } from '../../lib/routeRegistry'
import { Badge } from '../../ui/Badge'
import { Breadcrumbs } from '../../ui/Breadcrumbs'
import { Button, ButtonLink } from '../../ui/Button'
import { Sheet } from '../../ui/Dialog'
import { IdleSections } from '../../ui/IdleSections'
import { once } from '../../ui/ignoreDoubleClick'
import { Link } from '../../ui/Link'
import { Price } from '../../ui/Money'
import { optional } from '../../ui/Optional'
import { Rating } from '../../ui/Rating'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { WhenNear } from '../../ui/WhenNear'
import { Details } from './Details'
import { Gallery } from './Gallery'
import { OptionPicker } from './OptionPicker'
import { hasOptions, type OptionChoice } from './options'
import { Tags } from './Tags'
import { usePurchase } from './usePurchase'
import { Variations } from './Variations'

const NOT_FOUND = 404

export function Component() {
  const { productId = '' } = useParams()
  const { data, error, isPending, refetch } = useApiQuery('/api/v1/shop/products/{id}', {
    path: { id: productId },
  })
  const product = data?.product
  useTitle(product?.name)
  useRememberRecent(product && { _product: product._id, name: product.name, thumb: product.thumb?.url }, isPending)

  if (product) return <ProductPage key={product._id} product={product} />
  return (
    <main id="content" className="shell py-6 md:py-10">
      {error ? (
        <>
          <h1 className="sr-only">상품</h1>
          {toApiError(error).status === NOT_FOUND ? (
            <EmptyState
              title="더 이상 판매하지 않는 상품입니다"
              text="다른 상품을 둘러보세요."
              action={<ButtonLink to="/shop/products">전체 상품</ButtonLink>}
            />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </>
      ) : (
        <Loading className="grid gap-6 md:grid-cols-2 md:gap-14">
          <Skeleton className="aspect-square rounded-lg" />
          <div className="grid content-start gap-4">
            <Skeleton className="h-9 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="h-12 w-40" />
            <Skeleton className="mt-6 h-36" />
          </div>
        </Loading>
      )}
    </main>
  )
}

/** Beside the page, which does without it. */
const Benefits = optional(() => import('./Benefits'))

function ProductPage({ product }: { product: ProductDetail }) {
  const loggedIn = useLoggedIn()
  const start: OptionChoice[] = hasOptions(product) || product.soldOut ? [] : [{ option: undefined, quantity: 1 }]
  const [chosen, setChosen] = useState<OptionChoice[]>(start)
  const [sheet, setSheet] = useState(false)
  // A purchase was asked for before anything was chosen.
  const [early, setEarly] = useState(false)
  const choose = (next: OptionChoice[]) => {
    setChosen(next)
    setEarly(false)
  }
  const buying = usePurchase(product, () => {
    setChosen(start)
    setSheet(false)
  })
  const way = pathTo(product.categories[0] ?? '', useCategories())
  const pictures = product.images.length > 0 ? product.images : [product.thumb]

  const orAsk = (act: (chosen: readonly OptionChoice[]) => void) =>
    once<HTMLButtonElement>(() => (chosen.length > 0 ? act(chosen) : setEarly(true)))
  const buttons = (heart: boolean): ReactNode => (
    <div className="flex gap-2">
      {heart && <LikeButton product={product} look="box" />}
      <Button variant="outline" size="lg" block busy={buying.adding} onClick={orAsk(buying.toCart)} className="flex-1">
        장바구니
      </Button>
      <Button
        variant="accent"
        size="lg"
        block
        disabled={buying.adding}
        onClick={orAsk(buying.buyNow)}
        className="flex-1"
      >
        바로구매
      </Button>
    </div>
  )

  return (
    <main id="content" className="shell py-4 max-md:pb-20 md:py-8">
      <Breadcrumbs
        steps={[
          { label: '전체', to: '/shop/products' },
          ...way.map(({ name, code }) => ({ label: name, to: `/shop/products?category=${encodeURIComponent(code)}` })),
          { label: product.name },
        ]}
        className="mb-4"
      />
      <div className="grid gap-6 md:grid-cols-2 md:gap-14">
        <Gallery name={product.name} pictures={pictures} />
        <div className="md:py-2">
          <div className="flex flex-wrap gap-1">
            {product.soldOut && <Badge tone="ink">Sold Out</Badge>}
            {product.flags.map((flag) => (
              <Badge key={flag} tone={flag === 'BEST' ? 'accent' : 'quiet'}>
                {flag}
              </Badge>
            ))}
            {product.freeShipping && <Badge>무료배송</Badge>}
          </div>
          {product.brand && product.brandName && (
            <Link
              to={`/shop/brands/${encodeURIComponent(product.brand)}`}
              className="mt-2 inline-flex min-h-6 items-center rounded-xs font-semibold text-ink-2 text-sm hover:text-ink hover:underline"
            >
              {product.brandName}
              <ChevronRight aria-hidden className="size-4" />
            </Link>
          )}
          <h1 className="mt-1 font-extrabold text-2xl leading-snug md:text-3xl">{product.name}</h1>
          <p className="mt-1.5 text-ink-2">{product.desc}</p>
          <Tags tags={product.hashtags} />
          {product.meta.reviewCount > 0 && (
            <Link
              to="#reviews"
              preventScrollReset
              className="mt-2 inline-flex min-h-6 items-center gap-1.5 rounded-xs text-sm hover:underline"
            >
              <Rating stars={product.meta.star / 100} />
              <span className="figures font-semibold">{(product.meta.star / 100).toFixed(1)}</span>
              <span className="figures text-ink-3">후기 {grouped(product.meta.reviewCount)}개</span>
            </Link>
          )}
          <p className="figures mt-1 flex flex-wrap gap-x-3 text-ink-3 text-sm empty:hidden">
            {product.meta.likeCount > 0 && <span>찜 {grouped(product.meta.likeCount)}</span>}
            {product.sells > 0 && <span>{grouped(product.sells)}개 판매</span>}
          </p>
          <Price
            size="lg"
            price={product.price}
            salePrice={product.salePrice}
            discountRate={product.discountRate}
            className="mt-5"
          />
          <Variations product={product} />
          <Facts product={product} />
          <SellerCard product={product} />
          <div className="mt-6 max-md:hidden">
            {product.soldOut ? (
              <div className="flex gap-2">
                <LikeButton product={product} look="box" />
                <SoldOut />
              </div>
            ) : (
              <>
                <OptionPicker product={product} chosen={chosen} onChosen={choose} isMissing={early} />
                <div className="mt-5">{buttons(true)}</div>
              </>
            )}
          </div>
          {/* Last: what comes later pushes nothing that is pressed. */}
          {loggedIn && !product.soldOut && <Benefits product={product} chosen={chosen} />}
        </div>
      </div>

      <IdleSections>
        <Details product={product} />
        <WhenNear>
          <MoreOf product={product} />
        </WhenNear>
      </IdleSections>

      <div className="fixed inset-x-0 bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-20 border-line border-t bg-paper px-5 py-2.5 md:hidden">
        {product.soldOut ? (
          <div className="flex gap-2">
            <LikeButton product={product} look="box" />
            <SoldOut />
          </div>
        ) : (
          <div className="flex gap-2">
            <LikeButton product={product} look="box" />
            <Button variant="accent" size="lg" block onClick={() => setSheet(true)} className="flex-1">
              구매하기
            </Button>
          </div>
        )}
      </div>
      <Sheet
        open={sheet}
        onOpenChange={setSheet}
        side="bottom"
        title={hasOptions(product) ? '옵션 선택' : '수량 선택'}
        footer={<div className="w-full">{buttons(false)}</div>}
      >
        <OptionPicker product={product} chosen={chosen} onChosen={choose} isMissing={early} />
      </Sheet>
    </main>
  )
}

const SoldOut = () => (
  <Button size="lg" block disabled className="min-w-0 flex-1">
    품절된 상품입니다
  </Button>
)

function Facts({ product }: { product: ProductDetail }) {
  const [delivery] = product.shipping?.options ?? []
  const loggedIn = useLoggedIn()
  return (
    <dl className="mt-6 grid gap-4 border-line border-y py-5">
      <div className="flex gap-3">
        <dt className="flex w-22 shrink-0 items-center gap-1.5 self-start text-ink-2">
          <Truck aria-hidden className="size-4.5" />
          배송비
        </dt>
        <dd>
          {delivery ? fareText(delivery) : '배송 준비 중'}
          {delivery?.name && <p className="text-ink-3 text-sm">{delivery.name}</p>}
          {delivery &&
            extraTexts(delivery).map((text) => (
              <p key={text} className="text-ink-3 text-sm">
                {text}
              </p>
            ))}
        </dd>
      </div>
      <div className="flex gap-3">
        <dt className="flex w-22 shrink-0 items-center gap-1.5 self-start text-ink-2">
          <Coins aria-hidden className="size-4.5" />
          적립
        </dt>
        <dd>
          {loggedIn ? (
            '구매를 확정하면 회원 등급에 따라 쌓입니다.'
          ) : (
            <>
              <Link
                to={loginPath(`/shop/products/${product._id}`)}
                className="font-semibold underline underline-offset-4"
              >
                로그인
              </Link>
              하면 회원 등급에 따라 쌓입니다.
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** Who sells it; the card leads to their mini-shop once there is one. */
function SellerCard({ product: { seller, sellerCard } }: { product: ProductDetail }) {
  const home = `/minishop/${seller._id}`
  const inside = (
    <>
      <span aria-hidden className="flex size-11 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-2">
        <Store className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-ink-3 text-xs">판매자</span>
        <span className="block truncate font-bold">{seller.nickname}</span>
      </span>
      {sellerCard && <span className="figures text-ink-2 text-sm">상품 {sellerCard.productCount}개</span>}
    </>
  )
  const look = 'mt-5 flex items-center gap-3 rounded-lg border border-line p-4'
  return routeExists(home) ? (
    <Link to={home} className={`${look} hover:border-line-strong`}>
      {inside}
    </Link>
  ) : (
    <section aria-label="판매자" className={look}>
      {inside}
    </section>
  )
}

const SIDE_BY_SIDE = 4

/** What its seller shows with it, else others of the same kind. */
function MoreOf({ product }: { product: ProductDetail }) {
  const category = product.categories[0]
  const named = product.relateds ?? []
  const { data } = useApiQuery(
    '/api/v1/shop/products',
    { query: { category }, headers: paged(1, SIDE_BY_SIDE + 1) },
    { enabled: named.length === 0 && category !== undefined },
  )
  const others = (named.length > 0 ? named : (data?.products ?? []))
    .filter((other) => other._id !== product._id)
    .slice(0, SIDE_BY_SIDE)
  return (
    <>
      <Shelf id="choicees" title="함께 고를 수 있는 상품" products={product.choicees} />
      <Shelf id="more" title={named.length > 0 ? '함께 사면 좋은 상품' : '함께 보는 상품'} products={others} />
    </>
  )
}

function Shelf({ id, title, products }: { id: string; title: string; products: ProductCard[] }) {
  if (products.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-20">
      <h2 id={id} className="mb-6 font-bold text-2xl">
        {title}
      </h2>
      <ProductGrid products={products} level={3} />
    </section>
  )
}
