// One filter: a heading with checkboxes, each a query parameter.
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { grouped } from '../i18n/number'
import { cn } from '../lib/cn'
import { Link } from './Link'

export type FilterChoice = { key: string; label: ReactNode; to: string; on: boolean; count?: number }

export function FilterGroup({ title, choices }: { title: string; choices: readonly FilterChoice[] }) {
  if (choices.length === 0) return null
  return (
    <section aria-label={title} className="border-line border-t py-5 first:border-t-0 first:pt-0">
      <h2 className="mb-2 font-bold text-sm">{title}</h2>
      <ul className="grid gap-0.5">
        {choices.map(({ key, label, to, on, count }) => (
          <li key={key}>
            <Link
              to={to}
              aria-current={on}
              preventScrollReset
              className="group flex min-h-9 items-center gap-2.5 rounded-sm py-1 text-ink-2 text-sm hover:text-ink aria-[current=true]:font-semibold aria-[current=true]:text-ink"
            >
              <span
                aria-hidden
                className={cn(
                  'flex size-4.5 shrink-0 items-center justify-center rounded-xs border transition-colors',
                  on ? 'border-ink bg-ink text-on-ink' : 'border-line-strong group-hover:border-ink',
                )}
              >
                {on && <Check className="size-3.5 stroke-3" />}
              </span>
              <span className="min-w-0 flex-1 truncate">{label}</span>
              {count !== undefined && <span className="figures text-ink-3 text-xs">{grouped(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
