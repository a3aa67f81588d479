// When terms take effect: mostly a date only.
import { formatDate } from '../../lib/date'
import { DateText } from '../../ui/DateText'
import type { Row } from '../crud/resourceDefinition'

const MIDNIGHT = '00:00:00'

export const StartDateCell = ({ row }: { row: Row }) => {
  const at = typeof row.startsAt === 'string' ? row.startsAt : ''
  if (!at) return '-'
  return (
    <DateText
      value={at}
      style={formatDate(at, 'time') === MIDNIGHT ? 'date' : 'datetime'}
      folds
      className="figures text-ink-2"
    />
  )
}
