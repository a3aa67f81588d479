// What buyers are asked to pay besides their orders (spec R174): whether they did, and doing without one that is not paid yet.
import { keepPreviousData } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Chips } from '../../ui/Checkbox'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { EmptyState } from '../../ui/states'
import { ListTable } from '../crud/ListTable'
import { SearchForm } from '../crud/SearchForm'
import { PAGE_SIZE, useListState } from '../useListState'
import { CancelDialog } from './CancelDialog'
import type { UserPayment } from './types'
import { userPaymentWords as t } from './words'

const PATH = '/api/console/users/payments'
const TONES = { PAY_AWAITING: 'busy', PAY_COMPLETED: 'good', PAY_CANCELED: 'quiet' } as const
const STATUSES = Object.keys(TONES) as UserPayment['status'][]

/** The goods, and the seller, which a seller's own list omits. */
function Goods({ row }: { row: UserPayment }) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const parts = [row.purchaseNo, isStaff && row.seller.nickname]
  return (
    <>
      <p className="wrap-anywhere line-clamp-2">{row.name}</p>
      <p className="figures wrap-anywhere text-ink-3 text-xs">{parts.filter(Boolean).join(' · ')}</p>
    </>
  )
}

function Status({ row }: { row: UserPayment }) {
  const { status, paymentAt, _payment, reason } = row
  return (
    <>
      <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>
      {status === 'PAY_CANCELED' && _payment && <span className="ml-1.5 text-ink-3 text-xs">{t.refunded}</span>}
      {paymentAt && (
        <p className="mt-0.5 text-ink-3 text-xs">
          <DateText value={paymentAt} className="figures" />
          {!_payment && ` · ${t.byTransfer}`}
        </p>
      )}
      {reason && <p className="wrap-anywhere mt-0.5 text-ink-3 text-xs">{reason}</p>}
    </>
  )
}

const columnsWith = (onCancel: (row: UserPayment) => void): readonly Column<UserPayment>[] => [
  {
    id: 'number',
    header: t.columns.number,
    cell: (row) => (
      <>
        <Link
          to={`/console/shop/orders/${row._order}`}
          className="figures whitespace-nowrap font-semibold underline underline-offset-2 hover:text-ink"
        >
          {row.number}
        </Link>
        <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
      </>
    ),
  },
  { id: 'goods', header: t.columns.goods, cell: (row) => <Goods row={row} /> },
  { id: 'purpose', header: t.columns.purpose, cell: (row) => t.purposes[row.purpose] },
  {
    id: 'amount',
    header: t.columns.amount,
    align: 'right',
    cell: (row) => <Money amount={row.amount} className="font-semibold" />,
  },
  { id: 'status', header: t.columns.status, cell: (row) => <Status row={row} /> },
  {
    id: 'action',
    header: t.columns.action,
    align: 'right',
    cell: (row) =>
      row.cancelable && (
        <Button size="sm" variant="outline" aria-label={t.cancelOf(row.number)} onClick={() => onCancel(row)}>
          {t.cancel}
        </Button>
      ),
  },
]

export function Component() {
  const { params, page, shown, set } = useListState()
  const [canceling, setCanceling] = useState<UserPayment>()
  const columns = useMemo(() => columnsWith(setCanceling), [])
  const status = STATUSES.find((one) => one === params.get('state'))
  const searchValue = params.get('searchValue') || undefined
  const read = useApiQuery(
    PATH,
    { query: { status, searchValue }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const [title, text] = status || searchValue ? t.noMatch : t.none
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <search className="mt-4 block">
        <SearchForm className="max-w-sm" onSearch={set}>
          <Field label={t.search}>
            <Input
              key={searchValue}
              type="search"
              name="searchValue"
              defaultValue={searchValue}
              placeholder={t.searchHint}
              maxLength={40}
            />
          </Field>
        </SearchForm>
        <Chips
          label={t.status}
          options={[{ value: '', label: t.all }, ...STATUSES.map((value) => ({ value, label: t.statuses[value] }))]}
          value={status ?? ''}
          onValueChange={(to) => set({ state: to || undefined })}
          className="mt-2"
        />
      </search>
      <ListTable<UserPayment>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.payments)}
        isFetching={read.isPlaceholderData}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<ReceiptText />} title={title} text={text} />}
      />
      {canceling && <CancelDialog key={canceling._id} payment={canceling} onClose={() => setCanceling(undefined)} />}
    </main>
  )
}
