// What a list of members' points or coupons is narrowed to: states, one member, a period. The address is the state.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button'
import { Chips } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { EmptyState } from '../../ui/states'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { PeriodFilter } from '../crud/PeriodFilter'
import { useListState } from '../useListState'
import { benefitWords as t } from './words'

/** The filters of the address that have this name, as the calls want them. */
export function useBenefitList<S extends string>(states: readonly S[], others: readonly string[]) {
  const listing = useListState()
  const { params } = listing
  const state = states.find((one) => one === params.get('state'))
  const names = ['_user', 'createdAtFrom', 'createdAtTo', ...others]
  const filters: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, params.get(name) || undefined]),
  )
  const isFiltered = state !== undefined || Object.values(filters).some(Boolean)
  const clear = () =>
    listing.set(Object.fromEntries(['state', ...names].map((name) => [name, undefined as string | undefined])))
  const { createdAtFrom: from, createdAtTo: to, ...rest } = filters
  return { ...listing, state, filters, isFiltered, clear, query: { ...rest, from, to, state } }
}

type BenefitListing = Pick<ReturnType<typeof useBenefitList<string>>, 'filters' | 'set'>

type ListFiltersProps = {
  listing: BenefitListing
  state: string | undefined
  states: readonly { value: string; label: string }[]
  /** Other fields beside the member. */
  children?: ReactNode
}

export function ListFilters({ listing: { filters, set }, state, states, children }: ListFiltersProps) {
  return (
    <search className="mt-4 block">
      <div className="grid max-w-3xl items-start gap-3 sm:grid-cols-2">
        <Field label={t.member}>
          <ReferenceInput
            kind="member"
            value={filters._user ?? ''}
            onValueChange={(id) => set({ _user: id || undefined })}
          />
        </Field>
        {children}
      </div>
      <Chips
        label={t.state}
        options={[{ value: '', label: t.all }, ...states]}
        value={state ?? ''}
        onValueChange={(to) => set({ state: to || undefined })}
        className="mt-2"
      />
      <PeriodFilter
        from={filters.createdAtFrom ?? ''}
        to={filters.createdAtTo ?? ''}
        onPeriod={(from, to) => set({ createdAtFrom: from || undefined, createdAtTo: to || undefined })}
      />
    </search>
  )
}

/** The list shows the rows of one thing only; the way back to all. */
export const OnlyThese = ({ what, onClear }: { what: string; onClear: () => void }) => (
  <p className="mt-3 flex flex-wrap items-center gap-2 text-sm">
    <span className="font-semibold">{t.only(what)}</span>
    <Button size="sm" variant="ghost" onClick={onClear}>
      <X aria-hidden />
      {t.showAll}
    </Button>
  </p>
)

/** Nothing matches the conditions. */
export const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title={t.noMatch}
    text={t.noMatchText}
    action={
      <Button variant="outline" onClick={onClear}>
        {t.clear}
      </Button>
    }
  />
)
