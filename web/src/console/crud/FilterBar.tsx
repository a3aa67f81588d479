// Search and filters of a list: a search box, and the filters the server supports. The state is in the address.
import { Search, SlidersHorizontal, Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { usePageKeys } from '../../ui/keys'
import { DayRange } from '../Period'
import { entryOf, entryText, isInvalid, type Limits } from './entry'
import { yesOrNo } from './formState'
import { isTree, ReferenceInput } from './inputs/ReferenceInput'
import { TreeSelect } from './inputs/TreeSelect'
import { PeriodFilter } from './PeriodFilter'
import { type Filter, fieldOf, filterLabel, type ResourceSchema } from './schema'
import { partsOf, type ResourceListState } from './useResourceListState'
import { crudWords } from './words'

const k = crudWords

type FilterBarProps = {
  kind: ResourceSchema
  listing: ResourceListState
  filters: readonly Filter[]
  /** Default: the labels of the searched fields. */
  hint?: string
  /** The filter that is always visible. */
  period?: string
  /** Further controls at the end of the bar. */
  children?: ReactNode
}

export function FilterBar({ kind, listing, filters: all, hint = hintOf(kind), period, children }: FilterBarProps) {
  const { search, set, conditions } = listing
  const [typed, setTyped] = useState(search)
  const standing = all.find((filter) => filter.name === period)
  const filters = all.filter((filter) => filter !== standing)
  const count = filters.flatMap(partsOf).filter((name) => name in listing.filters).length
  const [open, setOpen] = useState(count > 0)
  useEffect(() => setTyped(search), [search])
  const searches = kind.search.length > 0 && !listing.isSought
  const box = useRef<HTMLInputElement>(null)
  usePageKeys({ search: searches ? () => box.current?.focus() : undefined })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set({ q: typed.trim() || undefined })
  }
  return (
    <search>
      {/* On a phone the search box and its button fill the first line. */}
      <div className="flex flex-wrap items-end gap-2">
        {searches && (
          <form onSubmit={submit} className="contents">
            <Field label={ko.action.search} hideLabel className="min-w-0 flex-1 basis-56">
              <Input
                ref={box}
                type="search"
                placeholder={hint}
                maxLength={100}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Field>
            <Button type="submit" variant="outline" aria-label={ko.action.search}>
              <Search aria-hidden />
              <span className="max-sm:sr-only">{ko.action.search}</span>
            </Button>
          </form>
        )}
        {filters.length > 0 && (
          <Button variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
            <SlidersHorizontal aria-hidden />
            <span>
              {k.filters}
              {count > 0 && ` ${count}`}
            </span>
          </Button>
        )}
        {listing.canShowRemoved && (
          <Button
            variant={listing.showsRemoved ? 'primary' : 'outline'}
            aria-pressed={listing.showsRemoved}
            onClick={listing.onRemoved}
          >
            <Trash2 aria-hidden />
            {k.removedOnes}
          </Button>
        )}
        {children}
      </div>
      {standing && <FilterChip filter={standing} listing={listing} />}
      {open && filters.length > 0 && (
        <div className="mt-3 grid gap-3 rounded-lg border border-line bg-raised p-4 sm:grid-cols-2 lg:grid-cols-4">
          {filters.map((filter) => (
            <FilterControl key={filter.name} kind={kind} filter={filter} listing={listing} />
          ))}
          <div className="flex items-end">
            <Button variant="ghost" disabled={conditions === 0} onClick={listing.clear}>
              {k.clearAll}
            </Button>
          </div>
        </div>
      )}
    </search>
  )
}

const hintOf = (kind: ResourceSchema): string =>
  kind.search.map((name) => fieldOf(kind, name)?.label ?? name).join(', ')

function FilterChip({ filter, listing: { filters, set } }: { filter: Filter; listing: ResourceListState }) {
  const [first = '', second = ''] = partsOf(filter)
  return (
    <PeriodFilter
      from={filters[first] ?? ''}
      to={filters[second] ?? ''}
      onPeriod={(from, to) => set({ [first]: from, [second]: to })}
    />
  )
}

function FilterControl({
  kind,
  filter,
  listing,
}: {
  kind: ResourceSchema
  filter: Filter
  listing: ResourceListState
}) {
  const label = filterLabel(kind, filter)
  const { filters, onFilter } = listing
  const [first = '', second = ''] = partsOf(filter)
  if (filter.type === 'enum' || filter.type === 'boolean') {
    const options =
      filter.type === 'enum'
        ? (filter.values ?? fieldOf(kind, filter.name)?.values ?? [])
        : [
            { value: 'true', label: yesOrNo(filter, true) },
            { value: 'false', label: yesOrNo(filter, false) },
          ]
    return (
      <Field label={label}>
        <Select
          options={[{ value: '', label: k.all }, ...options]}
          value={filters[first] ?? ''}
          onChange={(event) => onFilter(first, event.target.value)}
        />
      </Field>
    )
  }
  if (filter.type === 'reference') {
    const target = filter.resource ?? fieldOf(kind, filter.name)?.resource ?? ''
    return (
      <Field label={label}>
        {isTree(target) ? (
          <TreeSelect kind={target} value={filters[first] ?? ''} onValueChange={(code) => onFilter(first, code)} />
        ) : (
          <ReferenceInput kind={target} value={filters[first] ?? ''} onValueChange={(id) => onFilter(first, id)} />
        )}
      </Field>
    )
  }
  if (filter.type === 'period')
    return (
      <DayRange
        className="grid grid-cols-2 gap-2 sm:col-span-2"
        labels={[k.from(label), k.to(label)]}
        from={filters[first] ?? ''}
        to={filters[second] ?? ''}
        onDays={(from, to) => listing.set({ [first]: from, [second]: to })}
      />
    )
  const isAmount = fieldOf(kind, filter.name)?.type === 'amount'
  const [least, most] = [filters[first], filters[second]].map((end) => (end ? Number(end) : undefined))
  return (
    <div className="grid grid-cols-2 gap-2 sm:col-span-2">
      <RangeInput
        label={k.min(label)}
        value={filters[first] ?? ''}
        limits={{ min: 0, max: most }}
        isAmount={isAmount}
        onValueChange={(value) => onFilter(first, value)}
      />
      <RangeInput
        label={k.max(label)}
        value={filters[second] ?? ''}
        limits={{ min: least ?? 0 }}
        isAmount={isAmount}
        onValueChange={(value) => onFilter(second, value)}
      />
    </div>
  )
}

type RangeInputProps = {
  label: string
  value: string
  limits: Limits
  isAmount: boolean
  onValueChange: (value: string) => void
}

/** One end of a range; amounts are hundredths in the address and entered as money. */
function RangeInput({ label, value, limits, isAmount, onValueChange }: RangeInputProps) {
  const type = isAmount ? 'amount' : 'integer'
  const shows = /^\d+$/.test(value) ? entryText(type, Number(value)) : value
  const [typed, setTyped] = useState(shows)
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    setTyped(shows)
    setFault(undefined)
  }, [shows])
  const settle = () => {
    const entry = entryOf(type, typed, limits)
    setFault(isInvalid(entry) ? entry.$fault : undefined)
    if (!isInvalid(entry)) onValueChange(entry === null ? '' : String(entry))
  }
  return (
    <Field label={label} error={fault}>
      <Input
        inputMode={isAmount ? 'decimal' : 'numeric'}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={settle}
        onKeyDown={(event) => event.key === 'Enter' && settle()}
      />
    </Field>
  )
}
