// Whether a question is answered.
import { Badge } from '../../ui/Badge'

export const QuestionBadge = ({ state }: { state: string }) =>
  state === 'ANSWER_COMPLETE' ? <Badge tone="good">답변완료</Badge> : <Badge>답변대기</Badge>
