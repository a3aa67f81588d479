// A small field of a row: its label is short on screen and complete for a screen reader.
import type { ReactNode } from 'react'
import { Field } from '../../ui/Field'

export const Cell = ({
  label,
  of,
  error,
  children,
}: {
  label: string
  of: string
  error?: string
  children: ReactNode
}) => (
  <Field label={`${of} ${label}`} hideLabel error={error} hint={<span aria-hidden>{label}</span>}>
    {children}
  </Field>
)
