// Ships purchases with the tracking numbers of a file.
import { useState } from 'react'
import { useSetting } from '../../features/settings/api'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { ImportDialog, type ImportDialogProps } from '../crud/ImportDialog'
import { dispatchWords as t } from './words'

const WORDS = { title: () => t.importTitle, text: t.importText, summary: t.importSummary }

/** Files of one courier's program often do not name the courier. */
export default function InvoiceImport(props: Pick<ImportDialogProps, 'kind' | 'onClose' | 'onDone'>) {
  const { couriers = [] } = useSetting()
  const [courier, setCourier] = useState('')
  return (
    <ImportDialog {...props} words={WORDS} query={courier ? { courier } : undefined}>
      <Field label={t.courier} className="mb-4 max-w-xs">
        <Select
          placeholder="-"
          options={couriers.map(({ code, name }) => ({ value: code, label: name }))}
          value={courier}
          onChange={(event) => setCourier(event.target.value)}
        />
      </Field>
    </ImportDialog>
  )
}
