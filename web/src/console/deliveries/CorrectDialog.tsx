// The courier and number of a parcel that was sent are corrected.
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../api/client'
import { useForm } from '../../features/forms/useForm'
import { useSetting } from '../../features/settings/api'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, Select } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { useAskedClose } from '../crud/unsaved'
import { invalidateOrder } from '../purchases/invalidateOrder'
import type { Parcel } from '../types'
import { deliveryWords as t } from './words'

const isNumber = (text: string): boolean => /^\d{8,20}$/.test(text.replace(/[ -]/g, ''))

export function CorrectDialog({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const client = useQueryClient()
  const id = useId()
  const { couriers = [] } = useSetting()
  const form = useForm({
    initial: { courier: parcel.courier ?? '', invoiceNo: parcel.invoiceNo ?? '' },
    check: ({ courier, invoiceNo }) => ({
      courier: courier === '' ? t.courierMissing : undefined,
      invoiceNo: isNumber(invoiceNo) ? undefined : t.invoiceMissing,
    }),
    send: (body) =>
      call('PUT', '/api/console/shop/deliveries/{id}', { path: { id: parcel._id }, body }).catch((thrown: unknown) => {
        // It may have arrived meanwhile.
        void invalidateOrder(client)
        throw thrown
      }),
    onSent: () => {
      void toast(t.corrected, { tone: 'success' })
      void invalidateOrder(client)
      onClose()
    },
  })
  const close = useAskedClose(form.isDirty, onClose)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.isPending && void close()}
      title={t.correctOf(parcel.purchaseNo, t.directions[parcel.direction])}
      description={t.correctLead}
      footer={
        <>
          <Button variant="outline" disabled={form.isPending} onClick={() => void close()}>
            {ko.action.close}
          </Button>
          <Button type="submit" form={id} busy={form.isPending}>
            {ko.action.save}
          </Button>
        </>
      }
    >
      <form id={id} {...form.formProps} className="grid gap-4">
        <Field label={t.courier} required error={form.errors.courier}>
          <Select
            placeholder={t.courierMissing}
            options={couriers.map(({ code, name }) => ({ value: code, label: name }))}
            {...form.text('courier')}
          />
        </Field>
        <Field label={t.invoiceNo} required error={form.errors.invoiceNo}>
          <Input inputMode="numeric" autoComplete="off" maxLength={40} {...form.text('invoiceNo')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
      </form>
    </Dialog>
  )
}
