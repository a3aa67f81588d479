// The stars of a review, and whether it is answered.
import { Badge } from '../../ui/Badge'
import { Rating } from '../../ui/Rating'
import type { Row } from '../crud/resourceDefinition'

export const Stars = ({ row }: { row: Row }) => <Rating stars={Number(row.star)} />
export const Answer = ({ row }: { row: Row }) =>
  row.reply ? <Badge tone="good">답변 완료</Badge> : <Badge tone="accent">답변 대기</Badge>
