// 약관 동의: what has to be agreed to before an order. The texts are the shop's terms records, read when somebody wants to read them;
// the server keeps with the order which edition was in force.
import { TermsAccordion } from '../../features/terms/TermsAccordion'
import { Checkbox } from '../../ui/Checkbox'
import { TERMS } from './checkoutForm'
import type { CheckoutSectionProps } from './SenderReceiverForm'

export function Agreements({ sheet, change, errors }: CheckoutSectionProps) {
  const agreed = (code: string) => sheet.terms.includes(code)
  const error = errors._terms
  const isMissing = (code: string) => error !== undefined && !agreed(code)
  return (
    <fieldset className="mt-5 border-line border-t pt-5" aria-describedby={error ? 'terms-error' : undefined}>
      <legend className="sr-only">약관 동의</legend>
      <Checkbox
        label={<span className="font-semibold">모두 동의합니다</span>}
        checked={TERMS.every(({ code }) => agreed(code))}
        indeterminate={sheet.terms.length > 0}
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
            <TermsAccordion code={code} label={label}>
              {/* What is agreed to then is the sentence itself; the order keeps that there was no edition. */}
              별도로 정한 약관이 없습니다. 위 내용에 동의하면 주문할 수 있습니다.
            </TermsAccordion>
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
