// A select whose options are rows of a record named by a sibling field, e.g. the options of the chosen product.
import { createContext, useContext } from 'react'
import { useApiQuery } from '../../../api/query'
import { Select } from '../../../ui/Input'
import { itemPath, recordIn } from '../api'
import { type Document, getIn } from '../formState'
import type { Offer, ResourceDef, RowOf } from '../resourceDefinition'
import { referredKind } from '../schema'
import { crudWords } from '../words'

const k = crudWords

/** The definition's settings for references, by path without indexes. */
export const ReferenceRules = createContext<Pick<ResourceDef, 'dependentOptions' | 'offers'>>({})

/** A path without indexes: `bundleds.0._option` becomes `bundleds._option`. */
const kindOfPlace = (path: string): string => path.replace(/\.\d+(?=\.)/g, '')

/** The source of a dependent field's options, and the filters of a reference. */
export function useReferenceRules(path: string): { row?: RowOf; offer?: Offer } {
  const { dependentOptions, offers } = useContext(ReferenceRules)
  const place = kindOfPlace(path)
  return { row: dependentOptions?.[place], offer: offers?.[place] }
}

/** The filters of the offered records: an empty form field does not filter. */
export const filtersOf = ({ like, only }: Offer, draft: unknown): Record<string, string> => ({
  ...only,
  ...Object.fromEntries(
    like.flatMap((name) => {
      const value = getIn(draft, name)
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  ),
})

/** The path of another field of the same item. */
export const siblingPath = (path: string, name: string): string => path.replace(/[^.]+$/, name)

/** The fields that depend on the one at `path`. */
export const dependentFields = (rows: Record<string, RowOf>, path: string): string[] =>
  Object.entries(rows).flatMap(([row, { of }]) =>
    kindOfPlace(path) === siblingPath(row, of) ? siblingPath(path, row.replace(/^.*\./, '')) : [],
  )

type DependentSelectProps = {
  row: RowOf
  path: string
  draft: unknown
  value: string
  onValueChange: (id: string) => void
  disabled?: boolean
}

export function DependentSelect({ row, path, draft, value, onValueChange, disabled = false }: DependentSelectProps) {
  const kind = referredKind(row.kind)
  const named = getIn(draft, siblingPath(path, row.of))
  const id = typeof named === 'string' ? named : ''
  const { data } = useApiQuery(
    itemPath(kind.path),
    { path: { id } },
    { enabled: id !== '', retry: false, meta: { suppressToast: true } },
  )
  const found = getIn(recordIn(kind, data), row.list)
  const rows = Array.isArray(found) ? (found as Document[]) : []
  const options = rows.map((one) => ({ value: String(one._id), label: String(one[row.called] ?? one._id) }))
  // The current value stays visible, also while loading or when the record no longer has it.
  const known = value === '' || options.some((option) => option.value === value)
  return (
    <Select
      options={[{ value: '', label: k.noRow }, ...options, ...(known ? [] : [{ value, label: value }])]}
      value={value}
      disabled={disabled || (options.length === 0 && known)}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}
