// Inputs for references to other records: a combobox over the server's search.
import { keepPreviousData } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { IconButton } from '../../../ui/Button'
import { ComboboxList } from '../../../ui/ComboboxList'
import { Field, Fieldset } from '../../../ui/Field'
import { Input } from '../../../ui/Input'
import { useCombobox } from '../../../ui/useCombobox'
import { itemPath, recordIn, rowsIn } from '../api'
import { type InvalidEntry, invalidEntry, isInvalid } from '../entry'
import type { Document } from '../formState'
import { keyField, kindOf, type ResourceKind, referredKind } from '../schema'
import { crudWords, recordWords } from '../words'

const k = crudWords
const FOUND = 8
const DEBOUNCE_MS = 200

type NamedRecord = Document & { _id: string; name?: string; code?: string }

const labelOf = (row: NamedRecord): string => [row.name, row.code].filter(Boolean).join(' · ') || row._id

/** A tree's rows, children after their parent. */
const flat = (rows: readonly NamedRecord[], above = ''): NamedRecord[] =>
  rows.flatMap((row) => [
    { ...row, name: above + (row.name ?? '') },
    ...flat((row.children as NamedRecord[] | undefined) ?? [], `${above}${row.name ?? ''} › `),
  ])

/** The rows of a kind with this code; all rows of a tree. */
function useCoded(kind: ResourceKind, code: string, enabled: boolean): readonly NamedRecord[] {
  const query: Record<string, string> = { code }
  const { data } = useApiQuery(kind.path, kind.tree ? {} : { query }, { enabled })
  const rows = rowsIn<NamedRecord>(kind, data)
  return kind.tree ? flat(rows) : rows
}

/** The rows of a tree as options. */
export function useTreeOptions(kind: string): { value: string; label: string }[] {
  const known = referredKind(kind)
  return useCoded(known, '', known.tree === true).map((row) => ({
    value: row.code ?? row._id,
    label: row.name ?? row._id,
  }))
}

export const isTree = (kind: string): boolean => kindOf(kind)?.tree === true

/** A record's name by its id or code: empty while loading, the id itself on failure. */
export function useNameOf(kind: string, id: string): string {
  const known = referredKind(kind)
  const byCode = keyField(kind) === 'code'
  const { data, isLoading } = useApiQuery(
    itemPath(known.path),
    { path: { id } },
    { enabled: !byCode && id !== '', retry: false, meta: { suppressToast: true } },
  )
  const coded = useCoded(known, id, byCode && id !== '')
  const row = byCode ? coded.find((one) => one.code === id) : (recordIn(known, data) as NamedRecord | undefined)
  return row ? labelOf(row) : isLoading ? '' : id
}

type FinderProps = {
  kind: string
  /** The text shown while nothing is typed. */
  shown: string
  onFound: (id: string) => void
  /** Called with text that matches no record; default: it is discarded. */
  onLeft?: (typed: string) => void
  disabled?: boolean
  without?: readonly string[]
  /** Filters of the offered records. */
  only?: Record<string, string>
}

function Finder({ kind, shown, onFound, onLeft, disabled, without = [], only }: FinderProps) {
  const known = referredKind(kind)
  const [typed, setTyped] = useState<string>()
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed?.trim() ?? ''), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const open = typed !== undefined
  const { data, isPlaceholderData } = useApiQuery(
    known.path,
    { query: { ...only, searchValue: sought || undefined }, headers: paged(1, FOUND) },
    { enabled: open, placeholderData: keepPreviousData },
  )
  const key = keyField(kind)
  const rows = rowsIn<NamedRecord>(known, data).filter((row) => !without.includes(String(row[key])))
  const close = () => setTyped(undefined)
  const combobox = useCombobox({
    keys: rows.map((row) => row._id),
    open,
    autoSelect: true,
    isStale: data === undefined || isPlaceholderData || sought !== (typed?.trim() ?? ''),
    onOpen: () => setTyped(''),
    onClose: close,
    onChoose: (index) => {
      const row = rows[index]
      if (row) onFound(String(row[key]))
      close()
    },
  })
  return (
    <div className="relative">
      <Input
        {...combobox.inputProps}
        placeholder={k.find(known.title)}
        disabled={disabled}
        value={typed ?? shown}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value)
          combobox.reset()
        }}
        onBlur={() => {
          if (typed !== undefined && typed.trim() !== '' && typed !== shown) onLeft?.(typed)
          close()
        }}
      />
      {open && (
        <ComboboxList
          combobox={combobox}
          label={known.title}
          options={rows}
          keyOf={(row) => row._id}
          empty={data && <p className="px-3 py-2 text-ink-3 text-sm">{k.notFound}</p>}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
          optionClass="rounded-sm px-3 py-2 text-sm"
        >
          {labelOf}
        </ComboboxList>
      )}
    </div>
  )
}

type OneProps = {
  kind: string
  value: unknown
  onValueChange: (id: string) => void
  /** Called with text that matches no record; default: it is discarded. */
  onInvalid?: (entry: InvalidEntry) => void
  disabled?: boolean
  /** The reference cannot be cleared. */
  required?: boolean
  only?: Record<string, string>
}

export function ReferenceInput({ kind, value, onValueChange, onInvalid, disabled, required = false, only }: OneProps) {
  const id = typeof value === 'string' ? value : ''
  const name = useNameOf(kind, id)
  const shown = isInvalid(value) ? value.$typed : id && name
  return (
    <div className="flex gap-1">
      <div className="min-w-0 flex-1">
        <Finder
          kind={kind}
          shown={shown}
          disabled={disabled}
          only={only}
          onFound={onValueChange}
          onLeft={onInvalid && ((typed) => onInvalid(invalidEntry(typed, recordWords.notChosen)))}
        />
      </div>
      {shown && !disabled && (!required || isInvalid(value)) && (
        <IconButton label={k.clearChoice} onClick={() => onValueChange('')}>
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

type ManyProps = {
  label: string
  kind: string
  value: readonly string[]
  onValueChange: (ids: string[]) => void
  error?: string
  disabled?: boolean
  className?: string
}

/** An ordered list of references. */
export function ReferencesInput({ label, kind, value, onValueChange, error, disabled, className }: ManyProps) {
  const move = (from: number, to: number) => {
    const next = [...value]
    const [one] = next.splice(from, 1)
    if (one !== undefined) next.splice(to, 0, one)
    onValueChange(next)
  }
  return (
    <Fieldset legend={label} error={error} className={className}>
      {value.length > 0 && (
        <ol className="mb-3 divide-y divide-line rounded-md border border-line">
          {value.map((id, i) => (
            <ReferenceItem
              key={id}
              kind={kind}
              id={id}
              first={i === 0}
              last={i === value.length - 1}
              disabled={disabled}
              onUp={() => move(i, i - 1)}
              onDown={() => move(i, i + 1)}
              onRemove={() => onValueChange(value.filter((one) => one !== id))}
            />
          ))}
        </ol>
      )}
      {!disabled && (
        <Field label={`${label} ${k.addHere}`} hideLabel>
          <Finder kind={kind} shown="" without={value} onFound={(id) => onValueChange([...value, id])} />
        </Field>
      )}
    </Fieldset>
  )
}

type ReferenceItemProps = {
  kind: string
  id: string
  first: boolean
  last: boolean
  disabled?: boolean
  onUp: () => void
  onDown: () => void
  onRemove: () => void
}

function ReferenceItem({ kind, id, first, last, disabled, onUp, onDown, onRemove }: ReferenceItemProps) {
  const name = useNameOf(kind, id)
  return (
    <li className="flex items-center gap-1 py-1 pr-1 pl-3 text-sm">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <IconButton size="sm" label={k.up(name)} disabled={disabled || first} onClick={onUp}>
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton size="sm" label={k.down(name)} disabled={disabled || last} onClick={onDown}>
        <ArrowDown aria-hidden />
      </IconButton>
      <IconButton size="sm" label={k.removeItem(name)} disabled={disabled} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  )
}
