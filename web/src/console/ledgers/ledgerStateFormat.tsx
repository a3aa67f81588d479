// The state of a ledger without a form (stock, points, coupons, members), value by value: formatted amounts and times, and ids as
// links.
import type { ReactNode } from 'react'
import { grouped } from '../../i18n/number'
import { formatDate } from '../../lib/date'
import { formatMoney } from '../../lib/money'
import { FieldValue } from '../crud/FieldValue'
import { getIn, isDocument, yesOrNo } from '../crud/formState'
import { streamTitle } from '../history/links'
import { historyWords } from '../history/words'
import type { Ledger } from '../types'
import { LedgerLink } from './LedgerLink'
import { ledgerWords } from './words'

/** Labels of paths and texts of values. */
export type StateFormatter = { place: (path: string) => string; value: (value: unknown, path: string) => ReactNode }

const t = ledgerWords

/** Paths of amounts in hundredths. */
const AMOUNTS = new Set(['granted', 'expired', 'spent', 'limit', 'price__min', 'price__max', 'amount', 'takenOff'])
/** `left` is an amount of points; members have a field of that name, too. */
const POINTS_LEFT = 'left'

/** Paths with ids of ledgers. */
const NAMED: Record<string, string> = { order: 'order', usedOn: 'order', spent: 'order' }
/** Paths with ids of records and members. */
const CALLED: Record<string, string> = {
  product: 'product',
  _products: 'product',
  coupon: 'coupon',
  member: 'member',
  _seller: 'member',
}
const LEVEL = { name: '', label: '', type: 'reference', resource: 'level' } as const

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const PLACE = /^\d+$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:/
const ID_END = 6
const endOf = (id: string): string => `…${id.slice(-ID_END)}`

/** The label of the last named segment of a path. */
const keyOf = (path: string): string => path.split('.').findLast((part) => !ID.test(part) && !PLACE.test(part)) ?? path

/** Every value of the state, with its path; empty ones are omitted. */
export function flattenState(value: unknown, path = ''): { path: string; value: unknown }[] {
  if (value === null || value === undefined || value === '') return []
  if (!isDocument(value) && !Array.isArray(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, part]) => flattenState(part, path ? `${path}.${key}` : key))
}

const RecordName = ({ kind, id }: { kind: string; id: string }) => (
  <LedgerLink stream={{ kind, id }}>
    {kind === 'order' ? (
      `${streamTitle(kind)} ${endOf(id)}`
    ) : (
      <FieldValue field={{ name: '', label: '', type: 'reference', resource: kind }} value={id} />
    )}
  </LedgerLink>
)

/** Formatter for the state of a kind of ledger; `state` is the whole state. */
export function ledgerFormatter(subject: Ledger, state: unknown): StateFormatter {
  const names = t.parts[subject] ?? {}
  const place = (path: string) =>
    path
      .split('.')
      .map((part) => (PLACE.test(part) ? t.nth(Number(part) + 1) : ID.test(part) ? endOf(part) : (names[part] ?? part)))
      .filter(Boolean)
      .join(' · ')
  const value = (value: unknown, path: string): ReactNode => {
    if (value === null || value === undefined || value === '') return historyWords.empty
    const key = keyOf(path)
    if (typeof value === 'boolean') return yesOrNo({ name: key }, value)
    if (typeof value === 'number') {
      const isPercent =
        key === 'share' || (key === 'value' && getIn(state, path.replace(/value$/, 'unit')) === 'PERCENT')
      if (isPercent) return `${value}%`
      return AMOUNTS.has(key) || key === POINTS_LEFT || key === 'value' ? formatMoney(value) : grouped(value)
    }
    if (typeof value !== 'string') return JSON.stringify(value)
    if (MOMENT.test(value)) return formatDate(value, 'datetime')
    if (key === 'membershipLevel') return <FieldValue field={LEVEL} value={value} />
    const kind = NAMED[key] ?? CALLED[key]
    if (kind && ID.test(value)) return <RecordName kind={kind} id={value} />
    return t.values[value] ?? value
  }
  return { place, value }
}
