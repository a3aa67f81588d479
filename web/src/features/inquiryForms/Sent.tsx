// What was sent with a form: the questions as they were, and the answers.
import type { components } from '../../api/schema.gen'
import { grouped } from '../../i18n/number'
import { formatPhone } from '../../lib/phone'
import { AttachmentLinks } from '../attachments/AttachmentLinks'
import type { PrivateFile } from '../attachments/api'

type AnswerView = components['schemas']['AnswerView']

const shown = (answer: AnswerView): string => {
  switch (answer.type) {
    case 'PHONE':
      return formatPhone(answer.text)
    case 'NUMBER':
      return grouped(Number(answer.text))
    default:
      return answer.text
  }
}

export function Sent({ answers, files }: { answers: readonly AnswerView[]; files: readonly PrivateFile[] }) {
  return (
    <div className="grid gap-4">
      <dl className="grid gap-3">
        {answers
          .filter(({ type }) => type !== 'FILE')
          .map((answer) => (
            <div key={answer._id}>
              <dt className="text-ink-3 text-sm">{answer.name}</dt>
              <dd className="whitespace-pre-line break-words">{shown(answer)}</dd>
            </div>
          ))}
      </dl>
      <AttachmentLinks files={files} />
    </div>
  )
}
