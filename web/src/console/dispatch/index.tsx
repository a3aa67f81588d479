// The dispatch list: what has to be sent, by state, with its due day; prepares, exports, prints, and ships with numbers typed or from a file.

import purchase from 'virtual:resource/purchase'
import { useQueryClient } from '@tanstack/react-query'
import { FileUp, Printer, Truck } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { toApiError } from '../../api/errors'
import { newIdempotencyKey } from '../../api/idempotency'
import { saveFile } from '../../lib/files'
import { Button } from '../../ui/Button'
import { Money } from '../../ui/Money'
import { optional } from '../../ui/Optional'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { type Choice, ResourceTable } from '../crud/ResourceTable'
import { useSchema } from '../crud/useSchema'
import { crudWords } from '../crud/words'
import { invalidateOrder } from '../purchases/invalidateOrder'
import { anyActions } from '../purchases/purchaseActions'
import { purchaseWords } from '../purchases/words'
import type { Action, PurchaseInList } from '../types'
import { downloadParcels } from './download'
import { dispatchList } from './list'
import { type DispatchState, DispatchTabs, stateOf, useDispatchSums } from './states'
import { dispatchWords as t } from './words'

// Neither is needed to look at the list.
const InvoiceImport = optional(() => import('./InvoiceImport'))
const ActionDialog = optional(() => import('../purchases/ActionDialog'))

type PurchaseChoice = Choice<PurchaseInList>
type PendingAction = { action: Action; rows: readonly PurchaseInList[]; choice: PurchaseChoice }

/** Acts of this list, in the order of their buttons. */
const ACTS: readonly Action[] = ['prepare', 'ship', 'correctInvoice', 'delay', 'deliver']

export function Component() {
  const state = stateOf(useLocation().pathname)
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">
        {t.title} · {t.states[state]}
      </h1>
      <DispatchTabs className="mt-4" />
      <Sums state={state} />
      {/* Each state is a separate list with its own selection. */}
      <Purchases key={state} state={state} />
    </main>
  )
}

/** The sums of the list, and what has to leave today. */
function Sums({ state }: { state: DispatchState }) {
  const sum = useDispatchSums().sums?.find((one) => one.state === state)
  return (
    <p className="mt-4 flex min-h-6 flex-wrap gap-x-4 text-ink-2 text-sm">
      {sum && (
        <>
          <span className="figures">
            {t.sums(sum.purchases, sum.quantity)} · <Money amount={sum.paid} />
          </span>
          {sum.dueToday > 0 && <span className="font-semibold text-warning">{t.dueToday(sum.dueToday)}</span>}
        </>
      )}
      <span className="text-ink-3">{t.found}</span>
    </p>
  )
}

function Purchases({ state }: { state: DispatchState }) {
  const kind = useSchema(purchase)
  const client = useQueryClient()
  const [title, text] = t.none[state]
  const [acting, setActing] = useState<PendingAction>()
  const [importing, setImporting] = useState(false)
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" variant="outline" onClick={() => setImporting(true)}>
          <FileUp aria-hidden />
          {t.importInvoices}
        </Button>
      </div>
      <ResourceTable<PurchaseInList>
        def={dispatchList(state)}
        kind={kind}
        caption={t.states[state]}
        only={{ dispatch: state }}
        bulk={(choice) => <Chosen choice={choice} onAct={setActing} />}
        choosesAll
        empty={<EmptyState title={title} text={text} />}
      />
      {acting && (
        <ActionDialog
          key={acting.action}
          action={acting.action}
          rows={acting.rows}
          all={acting.choice.matching && { matching: acting.choice.matching, count: acting.choice.count }}
          onDone={(outcomes) =>
            acting.choice.letGo(
              acting.choice.matching ? undefined : outcomes.flatMap((one) => (one.refusal ? [] : [one.purchaseNo])),
            )
          }
          onClose={() => setActing(undefined)}
        />
      )}
      {importing && (
        <InvoiceImport kind={kind} onClose={() => setImporting(false)} onDone={() => void invalidateOrder(client)} />
      )}
    </>
  )
}

/** The sums of the selection, and what can be done with it; each act says for how many. */
function Chosen({ choice, onAct }: { choice: PurchaseChoice; onAct: (acting: PendingAction) => void }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const all = choice.matching !== undefined
  const acts = ACTS.flatMap((action) => {
    const rows = choice.rows.filter((row) => row.nextActions.includes(action))
    const fits = all ? anyActions(choice.rows).includes(action) : rows.length > 0
    return fits ? [{ action, rows: all ? choice.rows : rows }] : []
  })
  const pieces = choice.rows.reduce((sum, row) => sum + row.quantity, 0)
  const paid = choice.rows.reduce((sum, row) => sum + row.paid, 0)
  const save = async () => {
    setBusy(true)
    try {
      const some = choice.matching ? { matching: choice.matching } : { purchaseNos: [...choice.ids] }
      const { blob, name } = await downloadParcels(some)
      saveFile(blob, name)
      void toast(crudWords.exported(name), { tone: 'success' })
    } catch (thrown) {
      void toast(toApiError(thrown).told, { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {!all && (
        <span className="figures text-sm">
          {t.sums(choice.rows.length, pieces)} · <Money amount={paid} />
        </span>
      )}
      {acts.map(({ action, rows }) => (
        <Button key={action} size="sm" variant="outline" onClick={() => onAct({ action, rows, choice })}>
          {all
            ? purchaseWords.action[action]
            : t.fits(purchaseWords.action[action] ?? action, rows.length, choice.count)}
        </Button>
      ))}
      <Button size="sm" variant="outline" busy={busy} title={t.exportHint} onClick={() => void save()}>
        <Truck aria-hidden />
        {t.exportParcels}
      </Button>
      {!all && (
        <Button
          size="sm"
          variant="outline"
          onClick={() =>
            void navigate('/console/shop/dispatch/print', {
              state: { purchaseNos: choice.ids, key: newIdempotencyKey() },
            })
          }
        >
          <Printer aria-hidden />
          {t.print}
        </Button>
      )}
    </>
  )
}
