// The columns of the purchase list in each of its tabs. Values shown together are one column, so that everything fits beside
// the menu on a small screen; others are optional.

import { useSession } from '../../api/session'
import { claimDates } from '../../features/claims/ClaimDates'
import { claimWords } from '../../features/claims/words'
import { statusWords } from '../../i18n/statusWords'
import { StatusBadge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { optional } from '../../ui/Optional'
import type { ListDef } from '../crud/resourceDefinition'
import type { PurchaseInList } from '../types'
import { words } from '../words'
import { type Tab, tabPath } from './tabs'
import { purchaseWords } from './words'

const t = purchaseWords.list

/** Few claims have any. */
const ClaimPictures = optional(() => import('../../features/claims/ClaimPictures'))

const orderPage = (row: PurchaseInList): string => `/console/shop/orders/${row._order}`

type Cell = { row: PurchaseInList }

const NumberCell = ({ row }: Cell) => (
  <>
    <Link to={orderPage(row)} className="figures whitespace-nowrap font-semibold underline-offset-4 hover:underline">
      {row.purchaseNo}
    </Link>
    <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
  </>
)

const ProductCell = ({ row }: Cell) => (
  <>
    <p className="wrap-anywhere line-clamp-2 min-w-40">{row.name}</p>
    <p className="wrap-anywhere text-ink-3 text-xs">
      <From row={row} />
    </p>
    <ClaimLine row={row} />
  </>
)

/** The option, and the seller, which a seller's own list omits. */
function From({ row }: Cell) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  return [row.optionName, isStaff && row.seller.nickname].filter(Boolean).join(' · ')
}

/** The reason of a cancellation, return or exchange, and who decides where a seller cannot. */
function ClaimLine({ row }: Cell) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const isRequested = row.claimStatus.endsWith('_REQUESTED')
  return (
    row.claim && (
      <div className="wrap-anywhere text-xs">
        <p className="line-clamp-2 text-warning">
          {t.reason(claimWords.kind[row.claim.kind])}: {row.claim.reason}
        </p>
        {row.claim.fault && <p className="text-ink-3">{t.fault(claimWords.fault[row.claim.fault])}</p>}
        <ClaimDates row={row} />
        {row.claimPictures.length > 0 && (
          <ClaimPictures
            pictures={row.claimPictures}
            purchaseNo={row.purchaseNo}
            from="/api/console/shop/purchases/{purchaseNo}/pictures/{id}"
            className="mt-1"
          />
        )}
        {isRequested && row.claim.forStaff && !isStaff && <p className="text-ink-3">{t.forStaff}</p>}
      </div>
    )
  )
}

/** When it was requested, and its progress since. */
function ClaimDates({ row }: Cell) {
  if (!row.claim) return null
  const state = row.claim.rejection ? 'REJECTED' : 'REQUESTED'
  const dates = claimDates({ kind: row.claim.kind, state, times: row.claimTimes })
  const [requested, latest] = [dates[0], dates.at(-1)]
  return (
    requested && (
      <p className="text-ink-3">
        {requested.name} <DateText value={requested.at} style="datetime" className="figures" />
        {latest && latest !== requested && (
          <>
            {' · '}
            {latest.name} <DateText value={latest.at} style="datetime" className="figures" />
          </>
        )}
      </p>
    )
  )
}

/** Canceled before payment. */
const isGivenUp = ({ paidAt, orderStatus }: PurchaseInList): boolean => !paidAt && orderStatus === 'ORDER_CANCELED'

const Amount = ({ row }: Cell) => (
  <Money amount={row.paid} className={isGivenUp(row) ? 'text-ink-3' : 'font-semibold'} />
)

/** The quantity, and a note if unpaid where that is unexpected. */
const piecesOf = (row: PurchaseInList): string =>
  [words.pieces(row.quantity), isGivenUp(row) && t.unpaid].filter(Boolean).join(' · ')

const PaymentCell = ({ row }: Cell) => (
  <>
    <Amount row={row} />
    <span className="figures block text-ink-3 text-xs">{piecesOf(row)}</span>
  </>
)

const PeopleCell = ({ row }: Cell) => (
  <>
    <p className="wrap-anywhere line-clamp-2">{row.buyerName ?? words.forgotten}</p>
    {row.receiverName !== row.buyerName && (
      <p className="wrap-anywhere line-clamp-2 text-ink-3 text-xs">
        {t.receivedBy(row.receiverName ?? words.forgotten)}
      </p>
    )}
  </>
)

/** The buyer, and the receiver if different. */
const peopleOf = ({ buyerName, receiverName }: PurchaseInList): string[] =>
  (buyerName === receiverName ? [buyerName] : [buyerName, receiverName]).map((name) => name ?? words.forgotten)

/** The progress of returned goods, and the next pending step. */
function collectionOf({ claim, claimStatus, collectionStatus }: PurchaseInList): string | undefined {
  if (claim?.feeDue && collectionStatus === 'COLLECTION_COMPLETE') return purchaseWords.feeAwaited
  const comesBack = claimStatus === 'RETURN_REQUESTED' || claimStatus === 'EXCHANGE_PENDING'
  return comesBack && collectionStatus !== 'NONE' ? statusWords.collectionStatus[collectionStatus] : undefined
}

const Status = ({ row }: Cell) => (
  <>
    <StatusBadge {...row} />
    <span className="mt-0.5 block text-ink-3 text-xs empty:hidden">{collectionOf(row)}</span>
  </>
)

function Card({ row }: Cell) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <Link to={orderPage(row)} className="figures font-semibold underline underline-offset-4">
          {row.purchaseNo}
        </Link>
        <span className="text-right">
          <Status row={row} />
        </span>
      </div>
      <div>
        <p className="line-clamp-2">{row.name}</p>
        <p className="wrap-anywhere text-ink-3 text-xs empty:hidden">
          <From row={row} />
        </p>
        <ClaimLine row={row} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-ink-2 text-sm">
        <span>{peopleOf(row).join(' / ')}</span>
        <span className="text-right">
          {piecesOf(row)} · <Amount row={row} />
        </span>
      </p>
      <DateText value={row.createdAt} style="datetime" className="figures text-ink-3 text-xs" />
    </div>
  )
}

/** Each tab is a separate list with its own views and columns. */
export const listAt = (tab: Tab): ListDef<PurchaseInList> => ({
  name: `purchase/${tab}`,
  page: tabPath(tab),
  columns: ['createdAt', 'name', 'paid', 'buyerName', 'statusText'],
  cells: {
    createdAt: {
      header: `${t.columns.orderNo} · ${t.columns.createdAt}`,
      width: 'auto',
      isLink: true,
      cell: NumberCell,
    },
    name: { header: t.columns.product, width: '38%', cell: ProductCell },
    paid: { header: t.columns.paid, align: 'right', cell: PaymentCell },
    buyerName: { header: t.columns.people, width: '7.5rem', cell: PeopleCell },
    statusText: { header: t.columns.status, cell: Status },
  },
  optionalColumns: ['code', 'unitPrice', 'payable', 'seller.nickname', 'paidAt', 'invoiceNo', 'confirmOn'],
  idOf: (row) => row.purchaseNo,
  pageOf: orderPage,
  card: Card,
  sort: { id: 'createdAt', desc: true },
  searchPlaceholder: t.search,
  periodFilter: 'createdAt',
})
