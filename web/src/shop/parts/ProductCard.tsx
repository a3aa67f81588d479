// A product in a list: picture, seller, name and code, price, and what one should know before opening it (spec V058-V064).
import { Crown } from 'lucide-react'
import { Link } from 'react-router'
import type { ProductCard as Product } from '../../api/wire'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { Price } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { Skeleton } from '../../ui/states'

type ProductCardProps = {
  product: Product
  /** Place in a ranking. */
  rank?: number
  best?: boolean
  /** In sight when the page opens. */
  first?: boolean
  level?: 2 | 3
}

export function ProductCard({ product, rank, best = false, first = false, level = 2 }: ProductCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article className="group relative flex h-full flex-col">
      <Picture src={product.thumb.url} alt="" first={first} sizes="(width < 64rem) 50vw, 18rem">
        {rank !== undefined && (
          <span className="figures absolute top-0 left-0 flex size-8 items-center justify-center rounded-br-md bg-ink font-bold text-on-ink text-sm">
            {rank}
          </span>
        )}
        {best && (
          <Badge tone="accent" className="absolute top-2.5 right-2.5">
            <Crown aria-hidden className="size-3.5" />
            BEST
          </Badge>
        )}
        {product.soldOut && (
          <span className="absolute inset-0 flex items-center justify-center bg-[#f7f5f2]/70 font-bold text-[#1b1916] tracking-wide">
            Sold Out
          </span>
        )}
      </Picture>
      <p className="mt-3 truncate text-ink-3 text-xs">{product.seller.nickname}</p>
      <Heading className="mt-0.5 line-clamp-2 font-medium leading-snug">
        <Link
          to={`/shop/products/${product._id}`}
          className="after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ink focus-visible:after:outline-offset-4"
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
      <div className="mt-2 flex min-h-6 flex-wrap gap-1">
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

const GRID = 'grid grid-cols-2 gap-x-4 gap-y-7 sm:grid-cols-3 md:grid-cols-4 md:gap-x-6 md:gap-y-12'
const IN_SIGHT = 4

type GridProps = {
  products: readonly Product[]
  level?: 2 | 3
  /** Another answer is on its way. */
  waiting?: boolean
  className?: string
}

export function ProductGrid({ products, level, waiting = false, className }: GridProps) {
  return (
    <ul aria-busy={waiting} className={cn(GRID, 'transition-opacity', waiting && 'opacity-50', className)}>
      {products.map((product, i) => (
        <li key={product._id}>
          <ProductCard product={product} first={i < IN_SIGHT} level={level} />
        </li>
      ))}
    </ul>
  )
}

/** The outline of a grid that is being read. */
export function GridOutline({ count, className }: { count: number; className?: string }) {
  return (
    <div className={cn(GRID, className)}>
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
