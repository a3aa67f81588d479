// The coupons: their list, and with ?id= the form and history of one (the specification has one address for both).
import { useSearchParams } from 'react-router'
import { Badge } from '../../ui/Badge'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { RecordList, type Row } from '../records/RecordList'
import { RecordPage } from '../records/RecordPage'
import { couponKind, NEW_COUPON, STAGES } from './kind'

type Coupon = Row & {
  unit: 'AMOUNT' | 'PERCENT'
  value: number
  usage?: { type: string; isActive: boolean; endsAt?: string | null }
  issue?: { isActive: boolean }
}

const Worth = ({ row }: { row: Coupon }) =>
  row.unit === 'AMOUNT' ? <Money amount={row.value} /> : <span className="figures">{row.value}%</span>
const stage = (row: Coupon) => STAGES.find(({ value }) => value === row.usage?.type)?.label ?? '-'
const Active = ({ row }: { row: Coupon }) =>
  row.issue?.isActive ? <Badge tone="good">발급 중</Badge> : <Badge tone="quiet">중지</Badge>

const columns: readonly Column<Coupon>[] = [
  { id: 'value', header: '할인', align: 'right', cell: (row) => <Worth row={row} /> },
  { id: 'stage', header: '적용', cell: stage },
  {
    id: 'ends',
    header: '사용 기한',
    cell: (row) => (row.usage?.endsAt ? <DateText value={row.usage.endsAt} className="figures" /> : '-'),
  },
  { id: 'active', header: '상태', cell: (row) => <Active row={row} /> },
]

const LIST = '/console/shop/coupons'
const NEW = 'new'

export function Component() {
  const [params] = useSearchParams()
  const id = params.get('id')
  if (id) {
    return (
      <RecordPage
        key={id}
        kind={couponKind}
        id={id === NEW ? undefined : id}
        fresh={NEW_COUPON}
        listPage={{ to: LIST, label: '쿠폰' }}
        pageOf={(made) => `${LIST}?id=${made}`}
      />
    )
  }
  return (
    <RecordList<Coupon>
      path="/api/console/shop/coupons"
      many="coupons"
      title="쿠폰"
      hint="쿠폰명"
      columns={columns}
      pageOf={(one) => `${LIST}?id=${one}`}
      createPage={`${LIST}?id=${NEW}`}
      card={(row) => (
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span>
            <Worth row={row} /> · {stage(row)}
          </span>
          <Active row={row} />
        </p>
      )}
    />
  )
}
