// Filters of the product list: brand, price, delivery, availability. Each is a query parameter.
import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Facets } from '../../api/types'
import { formatMoney, parseMoney } from '../../lib/money'
import { amount as validAmount } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { FilterGroup } from '../../ui/FilterGroup'
import { Input } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { type ListingState, listingHref, toggle } from './listing'

type FiltersProps = { listing: ListingState; facets: Facets | undefined }

export function Filters({ listing, facets }: FiltersProps) {
  const to = (part: Partial<ListingState>) => listingHref({ ...listing, ...part, page: 1 })
  const known = facets?.brands ?? []
  // A selected brand stays visible, so that it can be deselected, even without matches.
  const brands = [
    ...known,
    ...listing.brands
      .filter((code) => !known.some((one) => one.code === code))
      .map((code) => ({ code, name: code, count: 0 })),
  ]
  return (
    <div>
      {/* Short filters first: the long list of brands continues below the fold. */}
      <FilterGroup
        title="배송·재고"
        choices={[
          { key: 'free', label: '무료배송', on: listing.freeShipping, to: to({ freeShipping: !listing.freeShipping }) },
          { key: 'stock', label: '품절 제외', on: listing.inStock, to: to({ inStock: !listing.inStock }) },
        ]}
      />
      {/* A new range in the address resets the inputs. */}
      <PriceRange
        key={`${listing.priceMin}-${listing.priceMax}`}
        listing={listing}
        bounds={facets?.price ?? undefined}
      />
      <FilterGroup
        title="브랜드"
        choices={brands.map(({ code, name, count }) => ({
          key: code,
          label: name,
          count,
          on: listing.brands.includes(code),
          to: to({ brands: toggle(listing.brands, code) }),
        }))}
      />
    </div>
  )
}

type PriceRangeProps = { listing: ListingState; bounds: { min: number; max: number } | undefined }

function PriceRange({ listing, bounds }: PriceRangeProps) {
  const navigate = useNavigate()
  const plain = (amount: number | undefined) => (amount === undefined ? '' : formatMoney(amount).replace(/^\D+/, ''))
  /** Omits zero decimals, which would be cut off in a narrow input. */
  const bound = (amount: number | undefined) => amount !== undefined && formatMoney(amount).replace(/\.00$/, '')
  const [from, setFrom] = useState(plain(listing.priceMin))
  const [till, setTill] = useState(plain(listing.priceMax))
  const [isSent, setIsSent] = useState(false)
  const faults = [from, till].map((typed) => validAmount(typed))
  const fault = isSent ? faults.find(Boolean) : undefined
  const faultId = useId()
  /** ARIA attributes of one end. */
  const ties = (end: number) =>
    fault && faults[end] ? { 'aria-invalid': true, 'aria-describedby': faultId } : undefined
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsSent(true)
    const wrong = faults.findIndex(Boolean)
    if (wrong >= 0) return event.currentTarget.querySelectorAll('input')[wrong]?.focus()
    const [a, b] = [from, till].map((typed) => parseMoney(typed))
    const turned = a !== undefined && b !== undefined && a > b
    void navigate(listingHref({ ...listing, priceMin: turned ? b : a, priceMax: turned ? a : b, page: 1 }))
  }
  return (
    <section aria-label="가격" className="border-line border-t py-5 first:border-t-0 first:pt-0">
      <h2 className="mb-3 font-bold text-sm">가격</h2>
      <form onSubmit={send} className="grid gap-2">
        <div className="flex items-center gap-2">
          <Input
            aria-label="최저 가격"
            {...ties(0)}
            inputMode="decimal"
            placeholder={bound(bounds?.min) || '최저'}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            className="figures min-w-0 flex-1 px-2 md:text-sm"
          />
          <span aria-hidden className="text-ink-3">
            ~
          </span>
          <Input
            aria-label="최고 가격"
            {...ties(1)}
            inputMode="decimal"
            placeholder={bound(bounds?.max) || '최고'}
            value={till}
            onChange={(event) => setTill(event.target.value)}
            className="figures min-w-0 flex-1 px-2 md:text-sm"
          />
        </div>
        {fault && (
          <p id={faultId} role="alert" className="text-danger text-sm">
            {fault}
          </p>
        )}
        <Button type="submit" variant="outline" size="sm" block>
          가격 적용
        </Button>
      </form>
    </section>
  )
}

/** The active filters, removable one by one or all at once. */
export function ActiveFilters({ listing, facets, seller }: FiltersProps & { seller?: string }) {
  const { brands, groups, priceMin, priceMax, inStock, freeShipping } = listing
  const to = (part: Partial<ListingState>) => listingHref({ ...listing, ...part, page: 1 })
  const range = [priceMin, priceMax].map((amount) => (amount === undefined ? '' : formatMoney(amount))).join(' ~ ')
  const on = [
    ...(listing.seller ? [{ key: 'seller', label: seller ?? '판매자', to: to({ seller: undefined }) }] : []),
    ...brands.map((code) => ({
      key: `brand-${code}`,
      label: facets?.brands.find((one) => one.code === code)?.name ?? code,
      to: to({ brands: toggle(brands, code) }),
    })),
    ...groups.map((group) => ({ key: `group-${group}`, label: group, to: to({ groups: toggle(groups, group) }) })),
    ...(priceMin !== undefined || priceMax !== undefined
      ? [{ key: 'price', label: range, to: to({ priceMin: undefined, priceMax: undefined }) }]
      : []),
    ...(freeShipping ? [{ key: 'free', label: '무료배송', to: to({ freeShipping: false }) }] : []),
    ...(inStock ? [{ key: 'stock', label: '품절 제외', to: to({ inStock: false }) }] : []),
  ]
  if (on.length === 0) return null
  return (
    <ul aria-label="적용한 조건" className="mt-4 flex flex-wrap items-center gap-2">
      {on.map(({ key, label, to: href }) => (
        <li key={key}>
          <Link
            to={href}
            className="flex h-9 items-center gap-1.5 rounded-full bg-sunken px-3.5 text-sm hover:bg-line"
            aria-label={`${label} 조건 해제`}
          >
            {label}
            <X aria-hidden className="size-3.5 text-ink-3" />
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={to({
            seller: undefined,
            brands: [],
            groups: [],
            priceMin: undefined,
            priceMax: undefined,
            inStock: false,
            freeShipping: false,
          })}
          className="rounded-xs px-1 text-ink-2 text-sm underline underline-offset-4 hover:text-ink"
        >
          전체 해제
        </Link>
      </li>
    </ul>
  )
}
