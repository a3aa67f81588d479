// The text of terms below their checkbox, loaded when it is opened.
import { type ReactNode, useState } from 'react'
import { toApiError } from '../../api/errors'
import { ko } from '../../i18n/ko'
import { DateText } from '../../ui/DateText'
import { Loading, Skeleton } from '../../ui/states'
import { useTerms } from './api'

const NOT_FOUND = 404

type TermsAccordionProps = {
  code: string
  label: string
  /** Text shown if the shop has no such terms. */
  children: ReactNode
}

export function TermsAccordion({ code, label, children }: TermsAccordionProps) {
  const [open, setOpen] = useState(false)
  return (
    // One text at a time, so that the button stays near.
    <details name="terms" className="ml-7.5 text-ink-3 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="tap w-fit cursor-pointer rounded-xs underline underline-offset-2">내용 보기</summary>
      {open && (
        <Text code={code} label={label}>
          {children}
        </Text>
      )}
    </details>
  )
}

function Text({ code, label, children }: TermsAccordionProps) {
  const { data, error, refetch } = useTerms(code)
  if (data) {
    const { name, edition, startsAt, content } = data.terms
    return (
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text has to be scrollable by keyboard
        tabIndex={0}
        aria-label={label}
        className="mt-2 max-h-56 overflow-y-auto rounded-md bg-sunken px-4 py-3 text-ink-2"
      >
        <p className="font-semibold text-ink">{name}</p>
        <p className="figures text-ink-3 text-xs">
          {startsAt && (
            <>
              <DateText value={startsAt} /> 시행 ·{' '}
            </>
          )}
          {edition !== undefined && `제${edition}판`}
        </p>
        <div
          className="prose-shop text-sm"
          // Sanitised by the server.
          dangerouslySetInnerHTML={{ __html: content }}
        />
      </section>
    )
  }
  if (!error)
    return (
      <Loading className="mt-2">
        <Skeleton className="h-24 rounded-md" />
      </Loading>
    )
  if (toApiError(error).status === NOT_FOUND) return <p className="mt-1">{children}</p>
  return (
    <p role="alert" className="mt-1">
      약관을 불러오지 못했습니다.{' '}
      <button type="button" className="rounded-xs underline underline-offset-2" onClick={() => void refetch()}>
        {ko.action.retry}
      </button>
    </p>
  )
}
