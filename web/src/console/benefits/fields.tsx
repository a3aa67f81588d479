// Fields that commands on points and coupons ask for: why, and until when; and the member of a row.
import type { ComponentProps, ReactNode } from 'react'
import { seoulDay } from '../../lib/seoul-day'
import { date, MAX_DATE } from '../../lib/validators'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { words } from '../words'
import { benefitWords as t } from './words'

const MEMO_MOST = 200

/** A reason, without which nothing is given or taken. */
export function memoFault(memo: string): string | undefined {
  if (memo.trim() === '') return t.memoMissing
  return [...memo.trim()].length > MEMO_MOST || /[<>]/.test(memo) ? t.memoInvalid(MEMO_MOST) : undefined
}

/** A text of a form: what `form.text(name)` answers. */
export type TextProps = Pick<ComponentProps<'input'>, 'value' | 'onChange'>

type MemoFieldProps = TextProps & { error?: string; hint?: string }

export const MemoField = ({ error, hint = t.memoHint, ...text }: MemoFieldProps) => (
  <Field label={t.memo} hint={hint} error={error} required>
    <Input autoComplete="off" {...text} />
  </Field>
)

/** A whole day that is not over; `optional` ones may be left out. */
export function lastDayFault(day: string, { optional = false } = {}): string | undefined {
  if (day === '') return optional ? undefined : t.lastDayMissing
  return date(day) ?? (day < seoulDay(0) ? t.dayPast : undefined)
}

type LastDayFieldProps = TextProps & { error?: string; optional?: boolean; hint?: ReactNode }

export const LastDayField = ({ error, optional = false, hint, ...text }: LastDayFieldProps) => (
  <Field label={t.lastDay} hint={hint ?? (optional ? t.lastDayHint : undefined)} error={error} required={!optional}>
    <Input type="date" min={seoulDay(0)} max={MAX_DATE} {...text} />
  </Field>
)

/** The day before the moment something ends at: the last one it is good on. */
export const lastDayOf = (end: string): string => seoulDay(0, Date.parse(end) - 1)

type NamedRow = { _user: string; username?: string | null; name: string }

/** What a row's member is called. */
export const nameOf = ({ name }: NamedRow): string => name || words.forgotten

/** The member of a row; with `to` a link. */
export function MemberName({ row, to }: { row: NamedRow; to?: string }) {
  const name = nameOf(row)
  return (
    <>
      {to ? (
        <Link to={to} className="font-semibold underline underline-offset-2 hover:text-ink">
          {name}
        </Link>
      ) : (
        <span className="font-semibold">{name}</span>
      )}
      {row.username && <p className="break-all text-ink-3 text-xs">{row.username}</p>}
    </>
  )
}
