// Joining, step 2: the terms. Accepted terms are stored until the form is sent.
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { setAgreements, useSession } from '../../api/session'
import { joinWords } from '../../features/login/joinWords'
import { TermsAccordion } from '../../features/terms/TermsAccordion'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Step, useKind } from './Step'

const t = joinWords
/** `text`: key of the shop's terms; the age confirmation has none. */
const TERMS = [
  { code: 'age', label: t.agreeAge, needed: true, text: undefined },
  { code: 'service', label: t.agreeTerms, needed: true, text: 'service' },
  { code: 'privacy', label: t.agreePrivacy, needed: true, text: 'privacy' },
  { code: 'ads', label: t.agreeAds, needed: false, text: 'marketing' },
]

/** Whether all required terms are accepted. */
export const agreed = (codes: readonly string[]): boolean =>
  TERMS.every(({ code, needed }) => !needed || codes.includes(code))

export function Component() {
  const navigate = useNavigate()
  const kind = useKind()
  const codes = useSession((s) => s.agreements)
  const [missing, setMissing] = useState(false)
  const all = TERMS.every(({ code }) => codes.includes(code))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(!agreed(codes))
    if (agreed(codes)) void navigate(`/join/form?type=${kind}`)
  }

  return (
    <Step at={1} title={t.agreement} text={t.agreementText}>
      <form onSubmit={submit} className="grid gap-6">
        <div className="rounded-lg border border-line p-5">
          <Checkbox
            label={<span className="font-bold text-lg">{t.agreeAll}</span>}
            checked={all}
            indeterminate={codes.length > 0}
            onChange={() => setAgreements(all ? [] : TERMS.map(({ code }) => code))}
          />
          <ul className="mt-4 grid gap-3 border-line border-t pt-4">
            {TERMS.map(({ code, label, needed, text }) => (
              <li key={code}>
                <Checkbox
                  label={
                    <>
                      {label}{' '}
                      <span className={needed ? 'text-accent text-sm' : 'text-ink-3 text-sm'}>
                        ({needed ? '필수' : '선택'})
                      </span>
                    </>
                  }
                  checked={codes.includes(code)}
                  onChange={(event) =>
                    setAgreements(event.target.checked ? [...codes, code] : codes.filter((c) => c !== code))
                  }
                />
                {text && (
                  <TermsAccordion code={text} label={label}>
                    {t.noTerms}
                  </TermsAccordion>
                )}
              </li>
            ))}
          </ul>
        </div>
        {missing && !agreed(codes) && (
          <p role="alert" className="text-danger text-sm">
            {t.agreeMissing}
          </p>
        )}
        <Button type="submit" size="lg" block>
          {ko.action.next}
        </Button>
      </form>
    </Step>
  )
}
