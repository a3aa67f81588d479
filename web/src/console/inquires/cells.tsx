// Whether an inquiry is answered, and whether it is secret.
import { Lock } from 'lucide-react'
import { Badge } from '../../ui/Badge'
import { templateSelect } from '../answer-templates/TemplateSelect'
import type { Row } from '../crud/resourceDefinition'

export const State = ({ row }: { row: Row }) =>
  row.state === 'ANSWER_COMPLETE' ? <Badge tone="good">답변 완료</Badge> : <Badge tone="accent">답변 대기</Badge>
export const SecretCell = ({ row }: { row: Row }) =>
  row.secret ? (
    <span className="inline-flex items-center gap-1 align-middle">
      <Lock aria-hidden className="size-4" />
      비밀글
    </span>
  ) : (
    '-'
  )

export const template = templateSelect('INQUIRE')
