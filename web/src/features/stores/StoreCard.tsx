// A store, also as a mini-shop: its picture, seller, address and phone number (spec V065-V067). On a phone the
// picture is beside the text.
import { MapPin, Phone } from 'lucide-react'
import { grouped } from '../../i18n/number'
import { Link } from '../../ui/Link'
import { Picture } from '../../ui/Picture'
import { Skeleton } from '../../ui/states'
import type { Store } from './api'

type StoreCardProps = {
  store: Store
  /** With the wide picture of the mini-shop; the shop's picture if it has none. */
  look?: 'store' | 'minishop'
  level?: 2 | 3
}

const RATIO = { store: 1.25, minishop: 2 }
const SKIN = '/pictures/BK-CITY-01.webp'

const far = (km: number): string => (km < 1 ? '1km 이내' : `${grouped(Math.round(km))}km`)

export function StoreCard({ store, look = 'store', level = 2 }: StoreCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  const isShop = look === 'minishop'
  const { name, nickname, companyName, address1, address2, tel, mini, distance } = store
  const tags = mini?.tag ?? []
  const title = isShop ? (nickname ?? name) : name
  return (
    <article className="group relative flex h-full gap-4 xs:flex-col xs:gap-0">
      <Picture
        src={isShop ? (store.banner?.url ?? store.mainBanner?.url ?? SKIN) : store.thumb.url}
        alt=""
        ratio={RATIO[look]}
        whole
        sizes="(width < 36rem) 112px, (width < 64rem) 50vw, 24rem"
        className="max-xs:aspect-square! max-xs:w-28 max-xs:shrink-0 max-xs:self-start"
      />
      <div className="min-w-0 flex-1">
        <p className="flex gap-2 text-ink-3 text-xs xs:mt-3 xs:empty:mt-2">
          {!isShop && nickname && (
            <span className="truncate">{[nickname, companyName].filter(Boolean).join(' · ')}</span>
          )}
          {typeof distance === 'number' && <span className="figures shrink-0 text-accent">{far(distance)}</span>}
        </p>
        <Heading className="mt-0.5 font-bold text-lg leading-snug">
          <Link
            to={`/shop/products?_seller=${store._seller}`}
            aria-label={`${title} 상품 보기`}
            className="block min-h-6 after:absolute after:inset-0 after:rounded-lg group-hover:underline"
          >
            {title}
          </Link>
        </Heading>
        <p className="mt-1 flex items-start gap-1.5 text-ink-2 text-sm">
          <MapPin aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
          {[address1, address2].filter(Boolean).join(' ')}
        </p>
        {tel && (
          <a
            href={`tel:${tel}`}
            className="relative z-10 flex min-h-11 w-fit items-center gap-1.5 rounded-xs text-ink-2 text-sm hover:underline"
          >
            <Phone aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="figures">{tel}</span>
          </a>
        )}
        {tags.length > 0 && (
          <ul aria-label="태그" className="mt-2 flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag} className="rounded-full bg-sunken px-2.5 py-0.5 text-ink-2 text-xs">
                {tag}
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  )
}

/** As large as the cards will be. */
export const StoreOutline = ({ count, look = 'store' }: { count: number; look?: StoreCardProps['look'] }) =>
  Array.from({ length: count }, (_, i) => (
    <div key={i} className={look === 'store' ? 'max-xs:h-36 xs:pb-38' : 'max-xs:h-32 xs:pb-29'}>
      <Skeleton className="rounded-lg max-xs:aspect-square! max-xs:w-28" ratio={RATIO[look]} />
    </div>
  ))
