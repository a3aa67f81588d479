// The columns of the dispatch list: those of the purchase list, with the day a purchase has to be sent and its parcel.
import { useCourierName } from '../../features/settings/api'
import { DateText } from '../../ui/DateText'
import type { ListDef } from '../crud/resourceDefinition'
import { listAt } from '../purchases/list'
import type { PurchaseInList } from '../types'
import { type DispatchState, statePath } from './states'
import { dispatchWords as t } from './words'

type Cell = { row: PurchaseInList }

/** The way of delivery, and the parcel once sent. */
function Parcel({ row }: Cell) {
  const courierName = useCourierName()
  return (
    <>
      <p className="whitespace-nowrap">
        {row.courier ? courierName(row.courier) : row.method && t.methods[row.method]}
      </p>
      <p className="figures break-all text-ink-3 text-xs empty:hidden">{row.invoiceNo}</p>
    </>
  )
}

const Due = ({ row }: Cell) =>
  row.shipBy ? <DateText value={row.shipBy} className="figures whitespace-nowrap" /> : '-'

export function dispatchList(state: DispatchState): ListDef<PurchaseInList> {
  const purchases = listAt('all')
  const Card = purchases.card
  return {
    ...purchases,
    name: `dispatch/${state}`,
    page: statePath(state),
    columns: ['createdAt', 'name', 'shipBy', 'method', 'buyerName', 'statusText'],
    cells: {
      ...purchases.cells,
      name: { ...purchases.cells?.name, width: '30%' },
      shipBy: { header: t.columns.shipBy, cell: Due },
      method: { header: t.columns.invoice, cell: Parcel },
    },
    optionalColumns: ['paid', 'paidAt', 'code', 'seller.nickname', 'quantity'],
    card:
      Card &&
      (({ row }) => (
        <>
          <Card row={row} />
          <div className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-sm">
            {row.shipBy && (
              <span>
                {t.columns.shipBy} <Due row={row} />
              </span>
            )}
            <span className="ml-auto text-right">
              <Parcel row={row} />
            </span>
          </div>
        </>
      )),
    searchPlaceholder: t.search,
    periodFilter: 'paidAt',
  }
}
