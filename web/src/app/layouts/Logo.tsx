// The shop's logo: the lines of an account book under a vermilion seal.

import { ko } from '../../i18n/ko'
import { Link } from '../../ui/Link'

export function Logo({ to = '/', suffix }: { to?: string; suffix?: string }) {
  return (
    <Link
      to={to}
      className="flex shrink-0 items-center gap-2 whitespace-nowrap rounded-sm font-extrabold text-2xl tracking-tight"
    >
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path d="M9 10h14M9 16h14M9 22h8" className="stroke-on-accent" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      {ko.shop.name}
      {suffix && <span className="font-medium text-base text-ink-3">{suffix}</span>}
    </Link>
  )
}
