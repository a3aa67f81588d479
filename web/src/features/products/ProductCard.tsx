// A product in a list: picture, seller, name and code, price, and badges (spec V058-V064).
import { Crown } from 'lucide-react'
import type { ProductCard as Product } from '../../api/types'
import { grouped } from '../../i18n/number'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { Link } from '../../ui/Link'
import { Price } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { Skeleton } from '../../ui/states'
import { LikeButton } from '../likes/LikeButton'

type ProductCardProps = {
  product: Product
  /** Rank. */
  rank?: number
  best?: boolean
  /** Visible when the page opens. */
  first?: boolean
  level?: 2 | 3
}

export function ProductCard({ product, rank, best = false, first = false, level = 2 }: ProductCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article className="group relative flex h-full flex-col">
      <Picture
        src={product.thumb.url}
        alt=""
        first={first}
        sizes="(width < 40rem) calc(50vw - 1.75rem), (width < 48rem) 33vw, (width < 64rem) 25vw, 18rem"
      >
        {rank !== undefined && (
          <span className="figures absolute top-0 left-0 flex h-9 min-w-9 items-center justify-center rounded-br-lg bg-picture-ink px-2 font-extrabold text-picture-paper">
            <span className="sr-only">순위 </span>
            {rank}
          </span>
        )}
        {best && (
          <span className="absolute top-2.5 left-11 inline-flex items-center gap-1 rounded-full bg-picture-accent px-2.5 py-1 font-bold text-picture-paper text-[0.6875rem] leading-none">
            <Crown aria-hidden className="size-3.5" />
            BEST
          </span>
        )}
        {product.soldOut && (
          <span className="absolute inset-0 flex items-center justify-center bg-picture-veil/70 font-bold text-picture-ink tracking-wide">
            Sold Out
          </span>
        )}
      </Picture>
      <LikeButton product={product} size="sm" className="absolute top-2 right-2 z-10" />
      <p className="mt-3 truncate text-ink-3 text-xs">{product.seller.nickname}</p>
      <Heading className="mt-0.5 font-medium leading-snug">
        <Link
          to={`/shop/products/${product._id}`}
          className="line-clamp-2 min-h-6 after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ink focus-visible:after:outline-offset-4"
        >
          {product.name}
        </Link>
      </Heading>
      <p className="figures truncate text-ink-3 text-xs">{product.code}</p>
      <Price
        price={product.price}
        salePrice={product.salePrice}
        discountRate={product.discountRate}
        className="mt-auto pt-2"
      />
      {/* Always one line, so that the prices of a row are aligned. */}
      <div className="mt-2 flex min-h-6 flex-wrap items-center gap-1">
        {product.meta.reviewCount > 0 && (
          <p className="figures mr-1 text-ink-2 text-xs">
            <span aria-hidden className="text-accent">
              ★
            </span>
            <span className="sr-only">별점 5점 만점에</span> {(product.meta.star / 100).toFixed(1)}
            <span className="text-ink-3">
              {' '}
              <span className="sr-only">후기</span>({grouped(product.meta.reviewCount)})
            </span>
          </p>
        )}
        {product.flags.map((flag) => (
          <Badge key={flag} tone={flag === 'BEST' ? 'accent' : 'quiet'}>
            {flag}
          </Badge>
        ))}
        {product.freeShipping && <Badge>무료배송</Badge>}
      </div>
    </article>
  )
}

/** Beside a menu there is one column less. */
const GRIDS = {
  page: 'grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3 md:grid-cols-4 md:gap-x-6 md:gap-y-8',
  beside: 'grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3 md:gap-x-5 md:gap-y-7 lg:grid-cols-4',
}
const IN_SIGHT = 4

type GridProps = {
  products: readonly Product[]
  level?: 2 | 3
  /** A new page is loading. */
  waiting?: boolean
  /** They are a ranking that starts at this rank; the first three get a crown. */
  rankFrom?: number
  room?: keyof typeof GRIDS
  /** How many are visible when the page opens. */
  first?: number
  className?: string
}

const CROWNED = 3

export function ProductGrid({
  products,
  level,
  waiting = false,
  rankFrom,
  room = 'page',
  first = IN_SIGHT,
  className,
}: GridProps) {
  return (
    <ul aria-busy={waiting} className={cn(GRIDS[room], 'transition-opacity', waiting && 'opacity-50', className)}>
      {products.map((product, i) => (
        // The padding leaves room for the outline of a focused link.
        <li key={product._id} className={i < first ? undefined : 'later -m-2 p-2'}>
          <ProductCard
            product={product}
            first={i < first}
            level={level}
            rank={rankFrom === undefined ? undefined : rankFrom + i}
            best={rankFrom !== undefined && rankFrom + i <= CROWNED}
          />
        </li>
      ))}
    </ul>
  )
}

/** The skeleton of a grid. */
type OutlineProps = { count: number; room?: keyof typeof GRIDS; className?: string }

export function GridOutline({ count, room = 'page', className }: OutlineProps) {
  return (
    <div className={cn(GRIDS[room], className)}>
      {Array.from({ length: count }, (_, i) => i).map((i) => (
        <div key={i}>
          <Skeleton className="aspect-square rounded-lg" />
          <Skeleton className="mt-3 h-3 w-16" />
          <Skeleton className="mt-2 h-4 w-4/5" />
          <Skeleton className="mt-6 h-5 w-24" />
        </div>
      ))}
    </div>
  )
}
