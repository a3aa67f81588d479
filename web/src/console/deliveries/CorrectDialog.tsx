// Corrects the courier and invoice number of a parcel that was sent. The seller's own ways of delivery have no number.
import { call } from '../../api/client'
import { useSetting } from '../../features/settings/api'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, Select } from '../../ui/Input'
import { batchWords } from '../crud/batchWords'
import { CommandDialog } from '../crud/CommandDialog'
import { useOrderCommand } from '../purchases/useOrderCommand'
import type { Parcel } from '../types'
import { deliveryWords as t } from './words'

const isNumber = (text: string): boolean => /^\d{8,20}$/.test(text.replace(/[ -]/g, ''))

export function CorrectDialog({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const { couriers = [] } = useSetting()
  const isNumbered = (courier: string) => couriers.find(({ code }) => code === courier)?.numbered !== false
  const form = useOrderCommand({
    initial: { courier: parcel.courier ?? '', invoiceNo: parcel.invoiceNo ?? '' },
    check: ({ courier, invoiceNo }) => ({
      courier: courier === '' ? t.courierMissing : undefined,
      invoiceNo: !isNumbered(courier) || isNumber(invoiceNo) ? undefined : t.invoiceMissing,
    }),
    send: ({ courier, invoiceNo }) =>
      call('PUT', '/api/console/shop/deliveries/{id}', {
        path: { id: parcel._id },
        body: { courier, invoiceNo: isNumbered(courier) ? invoiceNo : '' },
      }),
    done: t.corrected,
    onSent: onClose,
  })
  return (
    <CommandDialog
      title={t.correctOf(parcel.purchaseNo, t.directions[parcel.direction])}
      description={t.correctLead}
      form={form}
      onClose={onClose}
    >
      <Field label={t.courier} required error={form.errors.courier}>
        <Select
          placeholder={t.courierMissing}
          options={couriers.map(({ code, name }) => ({ value: code, label: name }))}
          {...form.text('courier')}
        />
      </Field>
      {isNumbered(form.values.courier) ? (
        <Field label={t.invoiceNo} required error={form.errors.invoiceNo}>
          <Input inputMode="numeric" autoComplete="off" maxLength={40} {...form.text('invoiceNo')} />
        </Field>
      ) : (
        <>
          <p className="text-ink-2 text-sm">{batchWords.unnumbered}</p>
          <FormError>{form.errors.invoiceNo}</FormError>
        </>
      )}
    </CommandDialog>
  )
}
