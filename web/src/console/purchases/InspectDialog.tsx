// What arrived of a return or exchange, piece by piece: how many, how many can be sold again, and who answers for it.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { claimWords } from '../../features/claims/words'
import { type Form, useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Facts } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { Dialog } from '../../ui/Dialog'
import { FormError } from '../../ui/FormError'
import { Notice } from '../../ui/Notice'
import { NumberStepper } from '../../ui/NumberStepper'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { useAskedClose } from '../crud/unsaved'
import type { Claim, Fault, Inspection } from '../types'
import { words } from '../words'
import { invalidateOrder } from './invalidateOrder'
import { type Outcome, runAction } from './purchaseActions'
import { purchaseWords } from './words'

const t = purchaseWords.inspect

export type InspectRow = { purchaseNo: string; _order: string }

type InspectDialogProps = {
  row: InspectRow
  onClose: () => void
  onDone?: (outcomes: Outcome[]) => void
}

type Values = Omit<Inspection, 'fault'> & { fault: Fault | '' }

/** Reads the order first: the claim says why, and whose fault the buyer says it is. */
export function InspectDialog({ row, onClose, onDone }: InspectDialogProps) {
  const client = useQueryClient()
  const id = useId()
  const { purchaseNo } = row
  const read = useApiQuery('/api/console/shop/orders/{id}', { path: { id: row._order } })
  const order = read.data?.order
  const purchase = order?.purchases.find((one) => one.purchaseNo === purchaseNo)
  const claim = order?.claims.find(({ _id }) => _id === purchase?.claim?._id)
  const quantity = purchase?.quantity ?? 0
  const [typed, setTyped] = useState<Partial<Values>>({})
  // All of it is sound unless told otherwise.
  const values: Values = { arrived: quantity, resellable: quantity, fault: claim?.fault ?? '', ...typed }
  const form = useForm<Values>({
    initial: values,
    store: [values, (part) => setTyped((now) => ({ ...now, ...part }))],
    check: ({ fault }) => ({ 'inspection.fault': fault ? undefined : t.faultMissing }),
    fields: ['inspection.arrived', 'inspection.resellable'],
    send: ({ fault, ...counts }) =>
      runAction('inspectGoods', { purchaseNo }, { inspection: { ...counts, fault: fault || 'BUYER' } }),
    onSent: () => {
      void toast(t.done, { tone: 'success' })
      void invalidateOrder(client)
      onDone?.([{ purchaseNo }])
      onClose()
    },
  })
  const close = useAskedClose(Object.keys(typed).length > 0, onClose)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.isPending && void close()}
      title={purchaseWords.action.inspectGoods ?? ''}
      description={t.lead}
      footer={
        <>
          <Button variant="outline" disabled={form.isPending} onClick={() => void close()}>
            {ko.action.close}
          </Button>
          <Button type="submit" form={id} busy={form.isPending} disabled={!claim}>
            {t.save}
          </Button>
        </>
      }
    >
      {purchase && claim ? (
        <form id={id} {...form.formProps} className="grid gap-5">
          <Facts
            className="rounded-md bg-sunken p-4 text-sm"
            rows={[
              { name: [purchase.name, purchase.optionName].filter(Boolean).join(' · '), value: purchaseNo },
              { name: t.requested, value: words.pieces(quantity) },
              { name: t.reason, value: claim.reason },
            ]}
          />
          <InspectFields form={form} quantity={quantity} claim={claim} />
        </form>
      ) : read.error || order ? (
        <ErrorState error={toApiError(read.error)} onRetry={() => void read.refetch()} className="py-6" />
      ) : (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
    </Dialog>
  )
}

function InspectFields({ form, quantity, claim }: { form: Form<Values>; quantity: number; claim: Claim }) {
  const { arrived, resellable, fault } = form.values
  const missing = quantity - arrived
  const writtenOff = arrived - resellable
  return (
    <>
      <Count
        label={t.arrived}
        error={form.errors['inspection.arrived']}
        hint={quantity > 1 ? t.none(claimWords.kind[claim.kind]) : undefined}
      >
        <NumberStepper
          label={t.arrived}
          value={arrived}
          min={1}
          max={quantity}
          onValueChange={(count) => form.set({ arrived: count, resellable: Math.min(resellable, count) })}
        />
      </Count>
      <Count label={t.resellable} error={form.errors['inspection.resellable']}>
        <NumberStepper
          label={t.resellable}
          value={resellable}
          min={0}
          max={arrived}
          onValueChange={(count) => form.set({ resellable: count })}
        />
      </Count>
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
      <FormError>{form.errors.form}</FormError>
    </>
  )
}

type CountProps = { label: string; hint?: string; error?: string; children: ReactNode }

/** A number of pieces; the stepper says its label itself. */
const Count = ({ label, hint, error, children }: CountProps) => (
  <div>
    <p aria-hidden className="mb-1.5 font-medium text-sm">
      {label}
    </p>
    {children}
    {hint && <p className="mt-1.5 text-ink-3 text-sm">{hint}</p>}
    {error && (
      <p role="alert" className="mt-1.5 text-danger text-sm">
        {error}
      </p>
    )}
  </div>
)
