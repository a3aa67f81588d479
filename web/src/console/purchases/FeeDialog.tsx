// The buyer's fee of an exchange arrived in the shop's bank account: how much it is, and what the bank calls the transfer.
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { goodsText } from '../../features/claims/words'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Facts } from '../../ui/Card'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { useAskedClose } from '../crud/unsaved'
import { invalidateOrder } from './invalidateOrder'
import type { Outcome } from './purchaseActions'
import { actionText, purchaseWords } from './words'

const t = purchaseWords.fee
const REFERENCE_MOST = 50

type FeeDialogProps = {
  row: { purchaseNo: string; _order: string }
  onClose: () => void
  onDone?: (outcomes: Outcome[]) => void
}

/** Reads the order first: its claim says how much is due. */
export function FeeDialog({ row, onClose, onDone }: FeeDialogProps) {
  const client = useQueryClient()
  const id = useId()
  const read = useApiQuery('/api/console/shop/orders/{id}', { path: { id: row._order } })
  const order = read.data?.order
  const purchase = order?.purchases.find(({ purchaseNo }) => purchaseNo === row.purchaseNo)
  const claim = order?.claims.find(({ _id }) => _id === purchase?.claim?._id)
  const exchange = claim?.exchange
  const due = exchange && !exchange.feePaid ? exchange.fee : 0
  const form = useForm({
    initial: { reference: '' },
    check: ({ reference }) => ({ reference: reference.trim().length < 2 ? t.referenceMissing : undefined }),
    disabled: due === 0,
    send: ({ reference }) =>
      call('POST', '/api/console/shop/orders/{id}/claims/{claim}/fee', {
        path: { id: row._order, claim: claim?._id ?? '' },
        body: { amount: due, reference: reference.trim() },
      }).catch((thrown: unknown) => {
        // What is due is not what it was.
        void invalidateOrder(client)
        throw thrown
      }),
    onSent: () => {
      void toast(t.done, { tone: 'success' })
      void invalidateOrder(client)
      onDone?.([{ purchaseNo: row.purchaseNo }])
      onClose()
    },
  })
  const close = useAskedClose(form.isDirty, onClose)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.isPending && void close()}
      title={actionText('receiveFee')}
      description={t.lead}
      footer={
        <>
          <Button variant="outline" disabled={form.isPending} onClick={() => void close()}>
            {ko.action.close}
          </Button>
          <Button type="submit" form={id} busy={form.isPending} disabled={due === 0}>
            {actionText('receiveFee')}
          </Button>
        </>
      }
    >
      {purchase && claim ? (
        <form id={id} {...form.formProps} className="grid gap-5">
          <Facts
            className="rounded-md bg-sunken p-4 text-sm"
            rows={[
              { name: goodsText(purchase), value: purchase.purchaseNo },
              { name: t.amount, value: due > 0 ? <Money amount={due} className="font-bold" /> : t.none },
            ]}
          />
          <Field label={t.reference} error={form.errors.reference} required>
            <Input maxLength={REFERENCE_MOST} autoComplete="off" {...form.text('reference')} />
          </Field>
          <FormError>{form.errors.form ?? form.errors.amount}</FormError>
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
