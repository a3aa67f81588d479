// The columns of the parcel list. Values shown together are one column; others are optional.

import { useSession } from '../../api/session'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import type { ListDef } from '../crud/resourceDefinition'
import type { Parcel } from '../types'
import { words } from '../words'
import { deliveryWords as t } from './words'

type Cell = { row: Parcel }

const TONES = { SENT: 'busy', DELAYED: 'warning', ARRIVED: 'good', RETURNED: 'quiet' } as const

const orderPage = (row: Parcel): string => `/console/shop/orders/${row._order}`

/** Only parcels in transit have a number that can still be corrected. */
const isUnderWay = ({ status }: Parcel): boolean => status === 'SENT' || status === 'DELAYED'

const NumberCell = ({ row }: Cell) => (
  <>
    <Link to={orderPage(row)} className="figures whitespace-nowrap font-semibold underline-offset-4 hover:underline">
      {row.purchaseNo}
    </Link>
    <DateText value={row.sentAt} style="datetime" className="figures block text-ink-3 text-xs" />
  </>
)

/** The option, the quantity, and the seller, which a seller's own list omits. */
function Details({ row }: Cell) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const parts = [row.optionName, words.pieces(row.quantity), isStaff && row.seller.nickname]
  return parts.filter(Boolean).join(' · ')
}

const ProductCell = ({ row }: Cell) => (
  <>
    <p className="wrap-anywhere line-clamp-2 min-w-40">{row.name}</p>
    <p className="wrap-anywhere text-ink-3 text-xs">
      <Details row={row} />
    </p>
  </>
)

const DirectionCell = ({ row }: Cell) => <Badge>{t.directions[row.direction]}</Badge>

const Status = ({ row }: Cell) => (
  <>
    <Badge tone={TONES[row.status]}>{row.statusText}</Badge>
    {row.arrivedAt && (
      <span className="mt-0.5 block text-ink-3 text-xs">
        {t.arrived} <DateText value={row.arrivedAt} className="figures" />
      </span>
    )}
    {row.delayReason && (
      <span className="wrap-anywhere mt-0.5 block text-ink-3 text-xs">{t.delayed(row.delayReason)}</span>
    )}
  </>
)

/** Courier and number, the tracking link, and the button to correct the number. */
function InvoiceText({ row, onCorrect }: Cell & { onCorrect: (row: Parcel) => void }) {
  return (
    <>
      <p className="text-ink-2">{row.courierName ?? row.courier ?? t.unnumbered}</p>
      <p className="figures break-all">{row.invoiceNo}</p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm empty:hidden">
        {row.trackingUrl && (
          <a
            href={row.trackingUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center underline underline-offset-4"
          >
            {t.track}
          </a>
        )}
        {isUnderWay(row) && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t.correctOf(row.purchaseNo, t.directions[row.direction])}
            onClick={() => onCorrect(row)}
          >
            {t.correct}
          </Button>
        )}
      </p>
    </>
  )
}

/** The list; `onCorrect` opens the form for the number of a parcel. */
export function deliveryList(onCorrect: (row: Parcel) => void): ListDef<Parcel> {
  const InvoiceCell = ({ row }: Cell) => <InvoiceText row={row} onCorrect={onCorrect} />
  const Card = ({ row }: Cell) => (
    <div className="grid gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <div>
          <NumberCell row={row} />
        </div>
        <span className="text-right">
          <DirectionCell row={row} /> <Status row={row} />
        </span>
      </div>
      <div>
        <ProductCell row={row} />
      </div>
      <div>
        <InvoiceCell row={row} />
      </div>
    </div>
  )
  return {
    name: 'delivery',
    page: '/console/shop/deliveries',
    columns: ['sentAt', 'direction', 'name', 'invoiceNo', 'status'],
    cells: {
      sentAt: { header: t.columns.purchaseNo, width: 'auto', isLink: true, cell: NumberCell },
      direction: { header: t.columns.direction, cell: DirectionCell },
      name: { header: t.columns.product, width: '36%', cell: ProductCell },
      invoiceNo: { header: t.columns.invoice, cell: InvoiceCell },
      status: { header: t.columns.status, cell: Status },
    },
    optionalColumns: ['orderNo', 'seller.nickname', 'arrivedAt', 'delayReason'],
    idOf: (row) => row._id,
    pageOf: orderPage,
    card: Card,
    sort: { id: 'sentAt', desc: true },
    searchPlaceholder: t.search,
    periodFilter: 'sentAt',
  }
}
