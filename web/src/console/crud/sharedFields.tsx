// Sections, columns and editors shared by several kinds: visibility and discounts.
import type { ComponentProps } from 'react'
import { useSetting } from '../../features/settings/api'
import { Badge } from '../../ui/Badge'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { entryOf, isInvalid } from './entry'
import { getIn, isDocument } from './formState'
import { NumberField } from './inputs/NumberField'
import type { CustomField, EditProps, Row, Section } from './resourceDefinition'
import { type Discount, saleOf } from './salePrice'
import { valuesOf } from './schema'

/** Visibility, optionally for a period. */
export const showing: Section = {
  title: '노출',
  fields: ['display.enabled', 'display.hasPeriod', 'display.startedAt', 'display.endedAt'],
}

/** Default values: visible, without a period. */
export const SHOWN = { display: { enabled: true, hasPeriod: false, startedAt: null, endedAt: null } }

type Display = { enabled?: boolean; hasPeriod?: boolean; startedAt?: string | null; endedAt?: string | null }

/** The current visibility. */
export function displayStateOf(
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

const VisibilityBadge = ({ row }: { row: Row }) => {
  const { tone, label } = STATES[displayStateOf((row.display as Display | undefined) ?? {}, Date.now())]
  return <Badge tone={tone}>{label}</Badge>
}

/** The column with the current visibility. */
export const showingColumn = { showing: { header: '노출', cell: VisibilityBadge } }

type NumberProps = Pick<ComponentProps<typeof NumberField>, 'value' | 'onValueChange' | 'error'>

/** A value that is money or a percentage, depending on its unit. */
const DiscountValueField = ({ unit, ...rest }: NumberProps & { unit: string }) => (
  <NumberField
    key={unit}
    label="할인값"
    type={unit === 'AMOUNT' ? 'amount' : 'percent'}
    min={0}
    required
    isMarked
    {...rest}
  />
)

/** An optional amount. */
const Limit = (props: NumberProps) => (
  <NumberField label="최대 할인 금액" hint="비워 두면 제한이 없습니다." type="amount" {...props} />
)

function DiscountEdit({ schema, draft, setValue, errors }: EditProps) {
  const discount = isDocument(draft.discount) ? draft.discount : undefined
  const set = (part: object) => setValue('discount', { ...discount, ...part })
  const unit = String(discount?.unit ?? '')
  // Other records with a discount have no price.
  const price = entryOf('amount', String(draft.price ?? ''))
  const isSound = discount && !isInvalid(discount.value) && !isInvalid(discount.limit)
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="할인" error={errors['discount.unit']}>
        <Select
          options={[{ value: '', label: '할인 없음' }, ...valuesOf(schema, 'discount.unit')]}
          value={unit}
          onChange={(event) =>
            event.target.value === ''
              ? setValue('discount', null)
              : set({ unit: event.target.value, value: 0, limit: null })
          }
        />
      </Field>
      {unit !== '' && (
        <DiscountValueField
          unit={unit}
          value={discount?.value}
          error={errors['discount.value']}
          onValueChange={(value) => set({ value })}
        />
      )}
      {unit === 'PERCENT' && (
        <Limit value={discount?.limit} error={errors['discount.limit']} onValueChange={(limit) => set({ limit })} />
      )}
      {isSound && typeof price === 'number' && <SalePrice price={price} discount={discount} />}
    </div>
  )
}

/** The price after the discount. */
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

/** A discount: none, an amount, or a percentage with a limit. */
export const discount: CustomField = { paths: ['discount'], component: DiscountEdit }

function CouponWorth({ schema, draft, setValue, errors }: EditProps) {
  const unit = String(getIn(draft, 'unit') ?? 'PERCENT')
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="할인 단위" error={errors.unit}>
        <Select
          options={valuesOf(schema, 'unit')}
          value={unit}
          onChange={(event) => {
            setValue('unit', event.target.value)
            setValue('value', 0)
            setValue('limit', null)
          }}
        />
      </Field>
      <DiscountValueField
        unit={unit}
        value={draft.value}
        error={errors.value}
        onValueChange={(value) => setValue('value', value)}
      />
      {unit === 'PERCENT' && (
        <Limit value={draft.limit} error={errors.limit} onValueChange={(limit) => setValue('limit', limit)} />
      )}
    </div>
  )
}

/** The discount of a coupon. */
export const couponWorth: CustomField = { paths: ['unit', 'value', 'limit'], component: CouponWorth }
