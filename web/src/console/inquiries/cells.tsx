// Who sent a form, and what, and whether it is answered.
import type { components } from '../../api/schema.gen'
import { Sent } from '../../features/inquiryForms/Sent'
import { digits, formatPhone } from '../../lib/phone'
import { templateSelect } from '../answer-templates/TemplateSelect'
import type { CustomField, EditProps } from '../crud/resourceDefinition'

type Content = Partial<Pick<components['schemas']['InquiryView'], 'answers' | 'files'>>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function Written({ document }: EditProps) {
  if (typeof document.subject !== 'string') return <p className="text-ink-3">파기된 문의입니다.</p>
  const { answers = [], files = [] } = document as Content
  const facts = [
    ['회원', text(document.nickname)],
    ['이름', text(document.name)],
    ['이메일', text(document.email)],
    ['휴대폰', formatPhone(digits(text(document.phone)))],
  ].filter(([, value]) => value)
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <Sent answers={answers} files={files} />
    </div>
  )
}

export { State } from '../questions/cells'

export const written: CustomField = { paths: [], component: Written }

export const template = templateSelect('INQUIRY')
