// Who wrote a contact, and what, and whether it is answered.
import { digits, formatPhone } from '../../lib/phone'
import { templateSelect } from '../answer-templates/TemplateSelect'
import type { CustomField, EditProps } from '../crud/resourceDefinition'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function Written({ document }: EditProps) {
  const { subject, content, name, company, email, phone } = document
  if (typeof subject !== 'string') return <p className="text-ink-3">파기된 문의입니다.</p>
  const facts = [
    ['이름', text(name)],
    ['회사', text(company)],
    ['이메일', text(email)],
    ['휴대폰', formatPhone(digits(text(phone)))],
  ].filter(([, value]) => value)
  return (
    <div className="grid gap-3">
      <p className="break-words font-semibold">{subject}</p>
      <p className="whitespace-pre-line break-words">{text(content)}</p>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

export { State } from '../questions/cells'

export const written: CustomField = { paths: [], component: Written }

export const template = templateSelect('CONTACT')
