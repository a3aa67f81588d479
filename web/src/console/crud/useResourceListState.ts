// The state of a resource's list, stored in the address: page, size, sort, search text, filters. Also as the query of its calls.
import { useListState } from '../useListState'
import { type Filter, type ResourceSchema, supportsRestore } from './schema'

export const SIZES = [20, 50, 100]

/** The query parameters of a filter. */
export const partsOf = (filter: Filter): string[] =>
  filter.type === 'period'
    ? [`${filter.name}From`, `${filter.name}To`]
    : filter.type === 'range'
      ? [`${filter.name}Min`, `${filter.name}Max`]
      : [filter.name]

/** The address's own parameters; all others are filters. */
const OWN = ['page', 'size', 'sort', 'q', 'id', 'removed']

export function useResourceListState(kind: ResourceSchema, only: Record<string, string> = {}) {
  const listing = useListState()
  const { params, set, sort, search } = listing
  const size = SIZES.find((one) => String(one) === params.get('size')) ?? SIZES[0] ?? 20
  const names = kind.filters.flatMap(partsOf).filter((name) => !(name in only))
  const filters: Record<string, string> = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name)
      return value ? [[name, value]] : []
    }),
  )
  // A fixed value without a server filter is sent as the search text.
  const filtered = Object.entries(only).filter(([name]) => kind.filters.some((filter) => filter.name === name))
  const sought = Object.entries(only).find(([name]) => !kind.filters.some((filter) => filter.name === name))?.[1]
  const sortParam = sort && kind.sorts.includes(sort.id) ? listing.sortText : undefined
  const canShowRemoved = supportsRestore(kind)
  const showsRemoved = canShowRemoved && params.get('removed') === 'true'
  return {
    ...listing,
    size,
    filters,
    /** Whether the list can show deleted records, and whether it does. */
    canShowRemoved,
    showsRemoved,
    /** Number of active filters. */
    conditions: Object.keys(filters).length + (search ? 1 : 0) + (showsRemoved ? 1 : 0),
    /** The query of the calls. */
    query: {
      searchValue: sought ?? (search || undefined),
      sort: sortParam ?? (kind.defaultSort || undefined),
      ...filters,
      ...Object.fromEntries(filtered),
      ...(showsRemoved && { removed: 'true' }),
    },
    /** The search text is fixed. */
    isSought: sought !== undefined,
    /** The query string stored in a saved view. */
    remembered: new URLSearchParams(
      [...params].filter(([name]) => name !== 'page' && name !== 'id' && (OWN.includes(name) || names.includes(name))),
    ).toString(),
    onSize: (next: number) => set({ size: next === SIZES[0] ? undefined : String(next) }),
    onFilter: (name: string, value: string) => set({ [name]: value || undefined }),
    onRemoved: () => set({ removed: showsRemoved ? undefined : 'true' }),
    clear: () =>
      set({ q: undefined, removed: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) }),
  }
}

export type ResourceListState = ReturnType<typeof useResourceListState>
