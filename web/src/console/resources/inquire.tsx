// Product inquiries: what shoppers ask, and what is answered. Their questions are theirs and sealed, so they cannot be changed here.
import { Lock } from 'lucide-react'
import { Badge } from '../../ui/Badge'
import type { ResourceDef, Row } from '../kit/def'

const State = ({ row }: { row: Row }) =>
  row.state === 'ANSWER_COMPLETE' ? <Badge tone="good">답변 완료</Badge> : <Badge tone="accent">답변 대기</Badge>
const Secret = ({ row }: { row: Row }) =>
  row.secret ? (
    <span className="inline-flex items-center gap-1">
      <Lock aria-hidden className="size-4" />
      비밀글
    </span>
  ) : null

export const inquire: ResourceDef = {
  kind: 'inquire',
  page: '/console/shop/inquires',
  inList: true,
  columns: ['subject', 'state', 'name', 'nickname', 'secret', 'createdAt'],
  cells: { state: { cell: State }, secret: { cell: Secret } },
  sections: [
    { title: '답변', fields: ['reply'] },
    { title: '문의', fields: ['subject', 'content', 'secret', 'nickname', 'state'] },
    { title: '상품', fields: ['_product'] },
  ],
}
