// Records that the buyer's exchange fee arrived in the shop's bank account: the amount, and the bank's reference.
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { goodsText } from '../../features/claims/words'
import { Facts } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { CommandDialog } from '../crud/CommandDialog'
import type { Outcome } from './purchaseActions'
import { useOrderCommand } from './useOrderCommand'
import { actionText, purchaseWords } from './words'

const t = purchaseWords.fee
const REFERENCE_MOST = 50

type FeeDialogProps = {
  row: { purchaseNo: string; _order: string }
  onClose: () => void
  onDone?: (outcomes: Outcome[]) => void
}

/** Loads the order first: its claim has the amount due. */
export function FeeDialog({ row, onClose, onDone }: FeeDialogProps) {
  const read = useApiQuery('/api/console/shop/orders/{id}', { path: { id: row._order } })
  const order = read.data?.order
  const purchase = order?.purchases.find(({ purchaseNo }) => purchaseNo === row.purchaseNo)
  const claim = order?.claims.find(({ _id }) => _id === purchase?.claim?._id)
  const exchange = claim?.exchange
  const due = exchange && !exchange.feePaid ? exchange.fee : 0
  const form = useOrderCommand({
    initial: { reference: '' },
    check: ({ reference }) => ({ reference: reference.trim().length < 2 ? t.referenceMissing : undefined }),
    disabled: due === 0,
    send: ({ reference }) =>
      call('POST', '/api/console/shop/orders/{id}/claims/{claim}/fee', {
        path: { id: row._order, claim: claim?._id ?? '' },
        body: { amount: due, reference: reference.trim() },
      }),
    done: t.done,
    onSent: () => {
      onDone?.([{ purchaseNo: row.purchaseNo }])
      onClose()
    },
  })
  return (
    <CommandDialog
      title={actionText('receiveFee')}
      description={t.lead}
      form={form}
      read={read}
      submit={actionText('receiveFee')}
      disabled={due === 0}
      className="gap-5"
      onClose={onClose}
    >
      {purchase && claim && (
        <>
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
        </>
      )}
    </CommandDialog>
  )
}
