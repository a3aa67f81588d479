// What several kinds of records share: when they show, what they take off.

import { useState } from 'react'
import { useSetting } from '../../api/setting'
import { moneySign, parseMoney } from '../../lib/money'
import { Badge } from '../../ui/Badge'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { Money } from '../../ui/Money'
import type { CustomField, EditProps, Row, Section } from '../kit/def'
import { at, isDocument } from '../kit/draft'
import { MoneyInput, plain } from '../kit/inputs/MoneyInput'
import { UnitInput } from '../kit/inputs/UnitInput'
import { type Discount, saleOf } from './sale'

/** Whether and when a thing shows; its days only matter where it has days. */
export const showing: Section = {
  title: '노출',
  fields: ['display.enabled', 'display.hasPeriod', 'display.startedAt', 'display.endedAt'],
}

/** A thing that shows from the start, without days. */
export const SHOWN = { display: { enabled: true, hasPeriod: false, startedAt: null, endedAt: null } }

type Display = { enabled?: boolean; hasPeriod?: boolean; startedAt?: string | null; endedAt?: string | null }

/** What a display says about now. */
export function stateOf(
  { enabled, hasPeriod, startedAt, endedAt }: Display,
  now: number,
): 'off' | 'soon' | 'over' | 'on' {
  if (!enabled) return 'off'
  if (hasPeriod && startedAt && now < Date.parse(startedAt)) return 'soon'
  if (hasPeriod && endedAt && now >= Date.parse(endedAt)) return 'over'
  return 'on'
}

const STATES = {
  on: { tone: 'good', label: '노출 중' },
  soon: { tone: 'busy', label: '예정' },
  over: { tone: 'quiet', label: '지남' },
  off: { tone: 'quiet', label: '숨김' },
} as const

const Showing = ({ row }: { row: Row }) => {
  const { tone, label } = STATES[stateOf((row.display as Display | undefined) ?? {}, Date.now())]
  return <Badge tone={tone}>{label}</Badge>
}

/** The column that says whether a thing shows now. */
export const showingColumn = { showing: { header: '노출', cell: Showing } }

export const UNITS = [
  { value: 'AMOUNT', label: '금액' },
  { value: 'PERCENT', label: '비율(%)' },
]

type WorthProps = {
  label: string
  unit: unknown
  value: unknown
  onValue: (value: number | null) => void
  error?: string
}

const WHOLE = /^\d{1,3}$/

/** A value that is money or percent, as its unit says: typed freely, taken over when the box is left. */
export function Worth({ label, unit, value, onValue, error }: WorthProps) {
  const isMoney = unit === 'AMOUNT'
  const shows = isMoney ? plain(value) : typeof value === 'number' ? String(value) : ''
  const [typed, setTyped] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const settle = () => {
    if (typed === undefined) return
    const text = typed.trim()
    const number =
      text === ''
        ? null
        : isMoney
          ? parseMoney(text)
          : WHOLE.test(text) && Number(text) <= 100
            ? Number(text)
            : undefined
    setWrong(
      number === undefined ? (isMoney ? '금액으로 입력해 주세요.' : '0에서 100 사이로 입력해 주세요.') : undefined,
    )
    if (number === undefined) return
    setTyped(undefined)
    onValue(number)
  }
  return (
    <Field label={label} error={wrong ?? error} required>
      <UnitInput
        before={isMoney ? moneySign() : undefined}
        after={isMoney ? undefined : '%'}
        inputMode={isMoney ? 'decimal' : 'numeric'}
        value={typed ?? shows}
        onChange={(event) => {
          setTyped(event.target.value)
          // What is whole already counts at once, so that Ctrl+S saves what is seen.
          const number = isMoney
            ? parseMoney(event.target.value)
            : WHOLE.test(event.target.value)
              ? Number(event.target.value)
              : undefined
          if (number !== undefined && (isMoney || number <= 100)) onValue(number)
        }}
        onBlur={settle}
      />
    </Field>
  )
}

function DiscountEdit({ draft, put, errors }: EditProps) {
  const discount = isDocument(draft.discount) ? draft.discount : undefined
  const set = (part: object) => put('discount', { ...discount, ...part })
  const unit = String(discount?.unit ?? '')
  // What else has a discount has no price.
  const price = parseMoney(String(draft.price ?? ''))
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="할인" error={errors['discount.unit']}>
        <Select
          options={[{ value: '', label: '할인 없음' }, ...UNITS]}
          value={unit}
          onChange={(event) =>
            event.target.value === '' ? put('discount', null) : set({ unit: event.target.value, value: 0, limit: null })
          }
        />
      </Field>
      {unit !== '' && (
        <Worth
          key={unit}
          label="할인값"
          unit={unit}
          value={discount?.value}
          error={errors['discount.value']}
          onValue={(value) => set({ value: value ?? 0 })}
        />
      )}
      {unit === 'PERCENT' && (
        <Limit
          label="최대 할인 금액"
          value={discount?.limit}
          error={errors['discount.limit']}
          onValue={(limit) => set({ limit })}
        />
      )}
      {discount && price !== undefined && <SalePrice price={price} discount={discount} />}
    </div>
  )
}

/** What shoppers will pay. */
function SalePrice({ price, discount }: { price: number; discount: Discount }) {
  const { currency } = useSetting()
  const { salePrice, discountRate } = saleOf(price, discount, currency?.step ?? 1)
  return (
    <p className="sm:col-span-3">
      <span className="mr-2 text-ink-2">판매가</span>
      <Money amount={salePrice} className="font-bold" />
      {discountRate > 0 && <span className="text-ink-2"> ({discountRate}% 할인)</span>}
    </p>
  )
}

/** An amount that may be missing. */
const Limit = ({ label, value, onValue, error }: Omit<WorthProps, 'unit'>) => (
  <Field label={label} hint="비워 두면 제한이 없습니다." error={error}>
    <MoneyInput value={value} onValue={onValue} />
  </Field>
)

/** A discount: none, an amount, or a percentage with a limit. */
export const discount: CustomField = { edits: ['discount'], edit: DiscountEdit }

function CouponWorth({ draft, put, errors }: EditProps) {
  const unit = String(at(draft, 'unit') ?? 'PERCENT')
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="할인 단위" error={errors.unit}>
        <Select
          options={UNITS}
          value={unit}
          onChange={(event) => {
            put('unit', event.target.value)
            put('value', 0)
          }}
        />
      </Field>
      <Worth
        key={unit}
        label="할인값"
        unit={unit}
        value={draft.value}
        error={errors.value}
        onValue={(value) => put('value', value ?? 0)}
      />
      {unit === 'PERCENT' && (
        <Limit
          label="최대 할인 금액"
          value={draft.limit}
          error={errors.limit}
          onValue={(limit) => put('limit', limit)}
        />
      )}
    </div>
  )
}

/** What a coupon takes off. */
export const couponWorth: CustomField = { edits: ['unit', 'value', 'limit'], edit: CouponWorth }
