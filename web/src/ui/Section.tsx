// A part of a page with its own heading and a link to more.
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ko } from '../i18n/ko'
import { Link } from './Link'

type SectionProps = {
  title: ReactNode
  /** A line over or under the title. */
  lead?: ReactNode
  more?: { to: string; label?: string }
  aside?: ReactNode
  className?: string
  children: ReactNode
}

export function Section({ title, lead, more, aside, className, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <div className="mb-5 flex items-end justify-between gap-4 md:mb-7">
        <div>
          <h2 id={id} className="font-bold text-2xl md:text-[1.75rem] md:leading-tight">
            {title}
          </h2>
          {lead && <p className="mt-1 text-ink-3">{lead}</p>}
        </div>
        {aside}
        {more && (
          <Link
            to={more.to}
            className="flex shrink-0 items-center rounded-xs py-1 text-ink-2 text-sm hover:text-ink hover:underline"
          >
            {more.label ?? ko.action.more}
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        )}
      </div>
      {children}
    </section>
  )
}

/** The heading of a whole page. */
export const PageTitle = ({
  children,
  lead,
  className,
}: {
  children: ReactNode
  lead?: ReactNode
  className?: string
}) => (
  <header className={className}>
    <h1 className="font-extrabold text-3xl">{children}</h1>
    {lead && <p className="mt-1.5 text-ink-2">{lead}</p>}
  </header>
)
