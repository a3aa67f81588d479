// 약관 동의: what has to be agreed to before an order. The texts are the shop's terms records, read when somebody wants to read them;
// the server keeps with the order which edition was in force.
import { useState } from 'react'
import { toApiError } from '../../api/errors'
import { useTerms } from '../../api/shelf'
import { ko } from '../../i18n/ko'
import { Checkbox } from '../../ui/Choice'
import { DateText } from '../../ui/DateText'
import { Loading, Skeleton } from '../../ui/states'
import type { PartProps } from './People'
import { TERMS } from './sheet'

const NOT_FOUND = 404

export function Agreements({ sheet, change, errors }: PartProps) {
  const agreed = (code: string) => sheet.terms.includes(code)
  const error = errors._terms
  const isMissing = (code: string) => error !== undefined && !agreed(code)
  return (
    <fieldset className="mt-5 border-line border-t pt-5" aria-describedby={error ? 'terms-error' : undefined}>
      <legend className="sr-only">약관 동의</legend>
      <Checkbox
        label={<span className="font-semibold">모두 동의합니다</span>}
        checked={TERMS.every(({ code }) => agreed(code))}
        some={sheet.terms.length > 0}
        onChange={(event) => change({ terms: event.target.checked ? TERMS.map(({ code }) => code) : [] })}
      />
      <ul className="mt-3 grid gap-2.5">
        {TERMS.map(({ code, label }) => (
          <li key={code}>
            <Checkbox
              label={<span className="text-sm">{label} (필수)</span>}
              checked={agreed(code)}
              aria-invalid={isMissing(code) || undefined}
              aria-describedby={isMissing(code) ? `terms-${code}` : undefined}
              onChange={(event) =>
                change({
                  terms: event.target.checked ? [...sheet.terms, code] : sheet.terms.filter((one) => one !== code),
                })
              }
            />
            {isMissing(code) && (
              <p id={`terms-${code}`} className="ml-7.5 text-danger text-sm">
                동의가 필요합니다.
              </p>
            )}
            <Folded code={code} label={label} />
          </li>
        ))}
      </ul>
      {error && (
        <p id="terms-error" role="alert" tabIndex={-1} data-trouble className="mt-2 text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Folded({ code, label }: { code: string; label: string }) {
  const [open, setOpen] = useState(false)
  return (
    // One text at a time, so that the button stays near.
    <details name="terms" className="ml-7.5 text-ink-3 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-xs underline underline-offset-2">내용 보기</summary>
      {open && <Text code={code} label={label} />}
    </details>
  )
}

function Text({ code, label }: { code: string; label: string }) {
  const { data, error, refetch } = useTerms(code)
  if (data) {
    const { name, edition, startsAt, content } = data.terms
    return (
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls with the keyboard, too
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
          // The server sanitised it.
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
  // What is agreed to then is the sentence itself; the order keeps that there was no edition.
  if (toApiError(error).status === NOT_FOUND)
    return <p className="mt-1">따로 정한 약관이 없습니다. 위 문장에 동의하는 것으로 주문됩니다.</p>
  return (
    <p role="alert" className="mt-1">
      약관을 불러오지 못했습니다.{' '}
      <button type="button" className="rounded-xs underline underline-offset-2" onClick={() => void refetch()}>
        {ko.action.retry}
      </button>
    </p>
  )
}
