// Couriers and invoice numbers of several parcels, row by row: a barcode reader types a number and Enter, which moves to the next row.
import { type KeyboardEvent, useRef } from 'react'
import { useSetting } from '../../features/settings/api'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { batchWords } from '../crud/batchWords'
import type { PurchaseSelection } from './PurchaseActionDialog'

const t = batchWords

type InvoicesProps = {
  rows: readonly PurchaseSelection[]
  /** The parcels' purchases. */
  lead?: string
  /** Whether the number is optional. */
  optional?: boolean
  /** Shows each parcel's name: there are several, or were before the others were sent. */
  several: boolean
  /** Whether the courier's parcels have a number. */
  isNumbered: boolean
  courier: string
  onCourier: (code: string) => void
  courierError?: string
  invoices: Record<string, string>
  onInvoice: (purchaseNo: string, text: string) => void
  invoiceError: (row: PurchaseSelection) => string | undefined
  disabled: boolean
}

export function Invoices(props: InvoicesProps) {
  const { rows, lead, optional = false, several, isNumbered, courier, onCourier, courierError, disabled } = props
  const { invoices, onInvoice, invoiceError } = props
  const { couriers = [] } = useSetting()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !several) return
    // After the last row comes the submit button.
    event.preventDefault()
    const inputs = [...(list.current?.querySelectorAll('input') ?? [])]
    const next = inputs[inputs.indexOf(event.currentTarget) + 1]
    if (next) {
      next.focus()
      next.select()
    } else document.querySelector<HTMLElement>(`button[form="${event.currentTarget.form?.id}"]`)?.focus()
  }
  return (
    <div ref={list} className="grid gap-4">
      {lead && <p className="text-ink-2 text-sm">{lead}</p>}
      <Field label={t.courier} error={courierError} required={!optional}>
        <Select
          placeholder={t.courierMissing}
          options={couriers.map(({ code, name }) => ({ value: code, label: name }))}
          value={courier}
          disabled={disabled}
          onChange={(event) => onCourier(event.target.value)}
        />
      </Field>
      {!isNumbered && <p className="text-ink-2 text-sm">{t.unnumbered}</p>}
      {(isNumbered ? rows : []).map((row) => (
        <Field
          key={row.purchaseNo}
          label={several ? `${t.invoiceNo} · ${row.purchaseNo}` : t.invoiceNo}
          hint={several ? [row.name, row.optionName].filter(Boolean).join(' · ') : undefined}
          error={invoiceError(row)}
          required={!optional}
        >
          <Input
            inputMode="numeric"
            maxLength={40}
            value={invoices[row.purchaseNo] ?? ''}
            disabled={disabled}
            onChange={(event) => onInvoice(row.purchaseNo, event.target.value)}
            onKeyDown={onKeyDown}
          />
        </Field>
      ))}
    </div>
  )
}
