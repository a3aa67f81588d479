// Whether a question is answered, and what its author wrote.
import { AttachmentLinks } from '../../features/attachments/AttachmentLinks'
import { Badge } from '../../ui/Badge'
import { templateSelect } from '../answer-templates/TemplateSelect'
import type { CustomField, EditProps, Row } from '../crud/resourceDefinition'

export const State = ({ row }: { row: Row }) =>
  row.state === 'ANSWER_COMPLETE' ? <Badge tone="good">답변 완료</Badge> : <Badge tone="accent">답변 대기</Badge>

function Asked({ document }: EditProps) {
  const { subject, content, files } = document
  if (typeof subject !== 'string') return <p className="text-ink-3">탈퇴한 회원의 문의입니다.</p>
  return (
    <div className="grid gap-3">
      <p className="break-words font-semibold">{subject}</p>
      <p className="whitespace-pre-line break-words">{typeof content === 'string' ? content : ''}</p>
      {Array.isArray(files) && <AttachmentLinks files={files} />}
    </div>
  )
}

export const asked: CustomField = { paths: [], component: Asked }

export const template = templateSelect('QUESTION')
