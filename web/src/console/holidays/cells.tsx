// The date of a holiday with its weekday, and its effect on business days.
import { formatDate } from '../../lib/date'
import { DateText } from '../../ui/DateText'
import type { CustomField, EditProps, Row } from '../crud/resourceDefinition'

export const DateCell = ({ row }: { row: Row }) => <DateText value={String(row.date)} style="weekday" />

/** A complete date: browsers report none for partial input. */
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Sunday and Saturday, as in `Date`. */
const WEEKEND = [0, 6]

function WeekdayNote({ draft: { date } }: EditProps) {
  if (typeof date !== 'string' || !DAY.test(date)) return null
  const isWeekend = WEEKEND.includes(new Date(date).getUTCDay())
  return (
    <p className="text-ink-2 text-sm">
      {formatDate(date, 'weekday')}{' '}
      {isWeekend
        ? '주말은 원래 영업일이 아니므로 환불 기한이 달라지지 않습니다.'
        : '영업일에서 빠지므로 환불 기한(3영업일)을 셀 때 건너뜁니다.'}
    </p>
  )
}

export const weekdayNote: CustomField = { paths: [], component: WeekdayNote }
