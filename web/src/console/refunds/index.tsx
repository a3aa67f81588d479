// Refunds for finance: due, with unknown outcome, refused, or transferred outside the payment service.
import { keepPreviousData } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { claimWords } from '../../features/claims/words'
import { Badge } from '../../ui/Badge'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { EmptyState } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { type RefundState, refundStates, refundWords as t } from './words'

type Refund = components['schemas']['DueRefund']

const PATH = '/api/console/shop/refunds'

const isState = (text: string | null): text is RefundState => refundStates.some((state) => state === text)

const columns: readonly Column<Refund>[] = [
  {
    id: 'order',
    header: t.order,
    cell: (row) => (
      <>
        <Link
          to={`/console/shop/orders/${row._order}`}
          className="figures font-semibold underline underline-offset-2 hover:text-ink"
        >
          {row.orderNo}
        </Link>
        <p className="figures break-all text-ink-3 text-xs">{row.purchaseNos.join(', ')}</p>
      </>
    ),
  },
  { id: 'claim', header: t.claim, cell: ({ kind }) => (kind ? claimWords.kind[kind] : t.noClaim) },
  {
    id: 'amount',
    header: t.amount,
    align: 'right',
    cell: (row) => (
      <>
        <Money amount={row.amount} className="font-semibold" />
        {!row.approved && <p className="text-ink-3 text-xs">{t.expected}</p>}
      </>
    ),
  },
  {
    id: 'requestedAt',
    header: t.requestedAt,
    cell: (row) => <DateText value={row.requestedAt} style="datetime" folds className="figures text-ink-2" />,
  },
  {
    id: 'due',
    header: t.due,
    cell: ({ due, late }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        {due && <DateText value={due} className="figures" />}
        {late && <Badge tone="bad">{t.late}</Badge>}
      </span>
    ),
  },
]

const refusal: Column<Refund> = {
  id: 'refusal',
  header: t.refusal,
  cell: ({ refusal }) =>
    refusal && (
      <>
        <p className="break-words">{refusal.message}</p>
        <p className="font-mono text-ink-3 text-xs">{refusal.code}</p>
      </>
    ),
}

const reference: Column<Refund> = {
  id: 'reference',
  header: t.reference,
  cell: (row) => <span className="figures break-all">{row.reference}</span>,
}

const COLUMNS: Record<RefundState, readonly Column<Refund>[]> = {
  due: columns,
  unknown: columns,
  refused: [...columns, refusal],
  redirected: [...columns, refusal, reference],
}

export function Component() {
  const list = useListState()
  const asked = list.params.get('state')
  const state = isState(asked) ? asked : 'due'
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <Tabs
        label={t.title}
        value={state}
        onValueChange={(to) => list.set({ state: to === 'due' ? undefined : to })}
        tabs={refundStates.map((one) => ({
          value: one,
          label: t.states[one],
          content: one === state && <Refunds state={one} />,
        }))}
        className="mt-4"
      />
    </main>
  )
}

function Refunds({ state }: { state: RefundState }) {
  const { page, shown } = useListState()
  const read = useApiQuery(
    PATH,
    { query: { state }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const [title, text] = t.none[state]
  return (
    <ListTable<Refund>
      caption={t.states[state]}
      columns={COLUMNS[state]}
      {...shown(read, (answer) => answer.refunds)}
      rowId={(row) => row._claim ?? row._refund ?? row._order}
      empty={<EmptyState icon={<CircleCheck />} title={title} text={text} />}
    />
  )
}
