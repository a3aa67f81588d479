// Inspection of a return or exchange, by the piece: how many arrived, how many can be resold, and whose fault it is.
import { useState } from 'react'
import { useApiQuery } from '../../api/query'
import { claimWords } from '../../features/claims/words'
import type { Form } from '../../features/forms/useForm'
import { Facts } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { Notice } from '../../ui/Notice'
import { CommandDialog } from '../crud/CommandDialog'
import type { Claim, Fault, Inspection } from '../types'
import { words } from '../words'
import { PiecesField } from './PiecesField'
import { type Outcome, runAction } from './purchaseActions'
import { useOrderCommand } from './useOrderCommand'
import { purchaseWords } from './words'

const t = purchaseWords.inspect

export type InspectRow = { purchaseNo: string; _order: string }

type InspectDialogProps = {
  row: InspectRow
  onClose: () => void
  onDone?: (outcomes: Outcome[]) => void
}

type Values = Omit<Inspection, 'fault'> & { fault: Fault | '' }

/** Loads the order first: the claim has the reason, and the fault according to the buyer. */
export default function InspectDialog({ row, onClose, onDone }: InspectDialogProps) {
  const { purchaseNo } = row
  const read = useApiQuery('/api/console/shop/orders/{id}', { path: { id: row._order } })
  const order = read.data?.order
  const purchase = order?.purchases.find((one) => one.purchaseNo === purchaseNo)
  const claim = order?.claims.find(({ _id }) => _id === purchase?.claim?._id)
  const quantity = purchase?.quantity ?? 0
  const [typed, setTyped] = useState<Partial<Values>>({})
  // By default all pieces have arrived and can be resold.
  const initial: Values = { arrived: quantity, resellable: quantity, fault: claim?.fault ?? '' }
  const form = useOrderCommand({
    initial,
    store: [{ ...initial, ...typed }, (part) => setTyped((now) => ({ ...now, ...part }))],
    check: ({ fault }) => ({ 'inspection.fault': fault ? undefined : t.faultMissing }),
    fields: ['inspection.arrived', 'inspection.resellable'],
    send: ({ fault, ...counts }) =>
      runAction('inspectGoods', { purchaseNo }, { inspection: { ...counts, fault: fault || 'BUYER' } }),
    done: t.done,
    onSent: () => {
      onDone?.([{ purchaseNo }])
      onClose()
    },
  })
  return (
    <CommandDialog
      title={purchaseWords.action.inspectGoods ?? ''}
      description={t.lead}
      form={form}
      read={read}
      submit={t.save}
      className="gap-5"
      onClose={onClose}
    >
      {purchase && claim && (
        <>
          <Facts
            className="rounded-md bg-sunken p-4 text-sm"
            rows={[
              { name: [purchase.name, purchase.optionName].filter(Boolean).join(' · '), value: purchaseNo },
              { name: t.requested, value: words.pieces(quantity) },
              { name: t.reason, value: claim.reason },
            ]}
          />
          <InspectFields form={form} quantity={quantity} claim={claim} />
        </>
      )}
    </CommandDialog>
  )
}

function InspectFields({ form, quantity, claim }: { form: Form<Values>; quantity: number; claim: Claim }) {
  const { arrived, resellable, fault } = form.values
  const missing = quantity - arrived
  const writtenOff = arrived - resellable
  return (
    <>
      <PiecesField
        label={t.arrived}
        value={arrived}
        min={1}
        max={quantity}
        onValueChange={(count) => form.set({ arrived: count, resellable: Math.min(resellable, count) })}
        hint={quantity > 1 ? t.none(claimWords.kind[claim.kind]) : undefined}
        error={form.errors['inspection.arrived']}
      />
      <PiecesField
        label={t.resellable}
        value={resellable}
        min={0}
        max={arrived}
        onValueChange={(count) => form.set({ resellable: count })}
        error={form.errors['inspection.resellable']}
      />
      <div>
        <RadioGroup
          legend={t.fault}
          options={(['BUYER', 'SELLER'] as const).map((value) => ({ value, label: claimWords.fault[value] }))}
          value={fault || undefined}
          onValueChange={(chosen) => form.set({ fault: chosen })}
          error={form.errors['inspection.fault']}
        />
        {claim.fault && <p className="mt-1.5 text-ink-3 text-sm">{t.faultHint(claimWords.fault[claim.fault])}</p>}
        {claim.exchange && <p className="mt-1.5 text-ink-3 text-sm">{t.fee}</p>}
      </div>
      {missing + writtenOff > 0 && (
        <Notice tone="warning">
          {missing > 0 && <p>{t.missing(missing, claimWords.kind[claim.kind])}</p>}
          {writtenOff > 0 && <p>{t.writtenOff(writtenOff)}</p>}
        </Notice>
      )}
    </>
  )
}
