// The variations of a product: the same goods in another size or colour, each with a page of its own.
import type { ProductDetail } from '../../api/types'
import { cn } from '../../lib/cn'
import { Link } from '../../ui/Link'

export function Variations({ product }: { product: ProductDetail }) {
  const { variation } = product
  if (!variation) return null
  const title = variation.list.join(' / ') || '다른 구성'
  return (
    <nav aria-label={title} className="mt-5">
      <p className="mb-2 font-medium text-sm">{title}</p>
      <ul className="flex flex-wrap gap-2">
        {variation.products.map(({ _id, spec, soldOut }) => {
          const isCurrent = _id === product._id
          return (
            <li key={_id}>
              <Link
                to={`/shop/products/${_id}`}
                aria-current={isCurrent ? 'page' : undefined}
                className={cn(
                  'flex min-h-11 items-center gap-2 rounded-md border bg-raised px-3.5 py-2 text-sm hover:border-ink',
                  isCurrent ? 'border-ink font-semibold ring-1 ring-ink' : 'border-line-strong',
                )}
              >
                {spec} {soldOut && <span className="text-ink-3 text-xs">품절</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
