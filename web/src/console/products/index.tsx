// The products: what each costs, how many are left, and whether shoppers see it.
import { Badge } from '../../ui/Badge'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { RecordList, type Row } from '../records/RecordList'
import type { Stock } from './Options'

type Product = Row & { code: string; price: number; shows: boolean; stock?: Stock[] }

const left = (row: Product): number => (row.stock ?? []).reduce((sum, pile) => sum + pile.available, 0)
const Shows = ({ row }: { row: Product }) =>
  row.shows ? <Badge tone="good">진열</Badge> : <Badge tone="quiet">숨김</Badge>
const Left = ({ row }: { row: Product }) => (
  <span className={left(row) > 0 ? 'figures' : 'figures font-semibold text-danger'}>
    {left(row) > 0 ? left(row).toLocaleString('ko-KR') : '품절'}
  </span>
)

const columns: readonly Column<Product>[] = [
  { id: 'code', header: '상품코드', cell: (row) => <span className="figures">{row.code}</span> },
  { id: 'price', header: '정가', align: 'right', cell: (row) => <Money amount={row.price} /> },
  { id: 'stock', header: '재고', align: 'right', cell: (row) => <Left row={row} /> },
  { id: 'shows', header: '진열', cell: (row) => <Shows row={row} /> },
  {
    id: 'updatedAt',
    header: '수정',
    cell: (row) => <DateText value={row.updatedAt} style="datetime" className="figures whitespace-nowrap text-ink-2" />,
  },
]

export function Component() {
  return (
    <RecordList<Product>
      path="/api/console/shop/products"
      many="products"
      title="상품"
      hint="상품명, 상품코드"
      columns={columns}
      pageOf={(id) => `/console/shop/products/${id}`}
      createPage="/console/shop/products/create"
      card={(row) => (
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span>
            <Money amount={row.price} /> · 재고 <Left row={row} />
          </span>
          <Shows row={row} />
        </p>
      )}
    />
  )
}
