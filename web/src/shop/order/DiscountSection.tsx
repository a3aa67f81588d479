// 쿠폰·적립금: a coupon for each line and each parcel, one for the whole; and the points.
import { useRef, useState } from 'react'
import type { CouponChoice, Preview } from '../../api/types'
import { RedeemCode } from '../../features/coupons/RedeemCode'
import { cn } from '../../lib/cn'
import { formatMoney, parseMoney } from '../../lib/money'
import { amount as validAmount } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { couponUnavailableReason, ignoredCoupons } from './checkoutForm'
import { bestChoice, couponsOff, NO_COUPONS, takenOn } from './chosenCoupons'
import type { CheckoutSectionProps } from './SenderReceiverForm'

type BenefitsProps = CheckoutSectionProps & { preview: Preview; settling: boolean }

export function CouponSection({ sheet, change, preview, settling }: BenefitsProps) {
  const { coupons, quote } = preview
  const of = (stage: CouponChoice['stage']) => coupons.filter((choice) => choice.stage === stage)
  const off = couponsOff(preview)
  const parcels = parcelsOf(quote)
  const dropped = settling ? [] : ignoredCoupons(sheet, preview)
  return (
    <Card
      title="쿠폰"
      headerAction={
        off > 0 && (
          <span className={cn('text-accent', settling && 'opacity-50')}>
            <Money amount={-off} className="font-bold" />
          </span>
        )
      }
    >
      {coupons.length === 0 ? (
        <p className="text-ink-3">쓸 수 있는 쿠폰이 없습니다.</p>
      ) : (
        <div className="grid gap-4">
          <BestSet preview={preview} sheet={sheet} change={change} settling={settling} />
          {of('product').length > 0 &&
            quote.purchases.map((line) => (
              <Field
                key={line.purchaseNo}
                label={`상품 쿠폰 · ${line.name}${line.optionName ? ` (${line.optionName})` : ''}`}
              >
                <CouponSelect
                  choices={of('product')}
                  value={sheet.productCoupons[line.purchaseNo] ?? ''}
                  takes={(choice) => takenOn(choice, line.purchaseNo)}
                  elsewhere={othersOf(sheet.productCoupons, line.purchaseNo)}
                  onValueChange={(issued) =>
                    change({ productCoupons: chosen(sheet.productCoupons, line.purchaseNo, issued) })
                  }
                />
              </Field>
            ))}
          {of('fare').length > 0 &&
            parcels.map(({ purchaseNo, name }) => (
              <Field key={purchaseNo} label={parcels.length > 1 ? `배송비 쿠폰 · ${name}` : '배송비 쿠폰'}>
                <CouponSelect
                  choices={of('fare')}
                  value={sheet.fareCoupons[purchaseNo] ?? ''}
                  takes={(choice) =>
                    // One alone works on every parcel it is for.
                    takenOn(choice, purchaseNo) &&
                    (othersOf(sheet.fareCoupons, purchaseNo).length === 0
                      ? takenOn(choice, undefined)
                      : takenOn(choice, purchaseNo))
                  }
                  elsewhere={othersOf(sheet.fareCoupons, purchaseNo)}
                  onValueChange={(issued) => change({ fareCoupons: chosen(sheet.fareCoupons, purchaseNo, issued) })}
                />
              </Field>
            ))}
          {of('total').length > 0 && (
            <Field label="주문 쿠폰">
              <CouponSelect
                choices={of('total')}
                value={sheet.totalCoupon}
                takes={(choice) => takenOn(choice, undefined)}
                onValueChange={(totalCoupon) => change({ totalCoupon })}
              />
            </Field>
          )}
        </div>
      )}
      {dropped.map(({ name, why }) => (
        <p key={name} role="alert" className="mt-3 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning">
          ‘{name}’ 쿠폰은 적용되지 않았습니다: {why}
        </p>
      ))}
      <Unavailable choices={coupons} />
      <details className="mt-4 text-sm">
        <summary className="w-fit cursor-pointer select-none rounded-xs py-1 text-ink-2 hover:text-ink">
          쿠폰 코드 등록
        </summary>
        <RedeemCode className="mt-2 max-w-md" />
      </details>
    </Card>
  )
}

/** The coupons with this one on that line. A coupon is one piece of paper: choosing it here takes it from elsewhere. */
function chosen(used: Record<string, string>, purchaseNo: string, issued: string): Record<string, string> {
  const others = Object.entries(used).filter(([no, one]) => no !== purchaseNo && one !== issued)
  return Object.fromEntries(issued ? [...others, [purchaseNo, issued]] : others)
}

/** Every parcel, by its first line. */
const parcelsOf = ({ purchases, fares }: Preview['quote']) =>
  fares.flatMap(({ purchaseNos }) => purchases.find((line) => line.purchaseNo === purchaseNos[0]) ?? [])

/** Coupons chosen for other lines. */
const othersOf = (used: Record<string, string>, purchaseNo: string): string[] =>
  Object.entries(used).flatMap(([no, issued]) => (no === purchaseNo ? [] : [issued]))

/** The best set at once, or none at all. */
function BestSet({ preview, sheet, change, settling }: Omit<BenefitsProps, 'errors'>) {
  const off = couponsOff(preview)
  const best = preview.bestCoupons
  const takes = [...Object.values(sheet.productCoupons), ...Object.values(sheet.fareCoupons), sheet.totalCoupon]
  const hasChosen = takes.some(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {best && !settling && best.amount > off && (
        <Button
          variant="outline"
          className="h-auto min-h-11 whitespace-normal"
          onClick={() => change(bestChoice(preview))}
        >
          가장 큰 할인 적용 ({formatMoney(-best.amount)})
        </Button>
      )}
      {best && hasChosen && !settling && best.amount <= off && (
        <p className="text-success text-sm">가장 큰 할인을 적용했습니다.</p>
      )}
      {hasChosen && (
        <Button size="sm" variant="ghost" onClick={() => change(NO_COUPONS)}>
          쿠폰 쓰지 않기
        </Button>
      )}
    </div>
  )
}

/** The coupons that fit nothing of this order, and why. */
function Unavailable({ choices }: { choices: readonly CouponChoice[] }) {
  const none = choices.flatMap((choice) => {
    const why = couponUnavailableReason(choice)
    return why ? [{ id: choice._issued, name: choice.name, why }] : []
  })
  if (none.length === 0) return null
  return (
    <details className="mt-4 text-sm">
      <summary className="w-fit cursor-pointer select-none rounded-xs py-1 text-ink-2 hover:text-ink">
        이번 주문에 쓸 수 없는 쿠폰 {none.length}장
      </summary>
      <ul className="mt-1 grid gap-1 text-ink-3">
        {none.map(({ id, name, why }) => (
          <li key={id}>
            {name}: {why}
          </li>
        ))}
      </ul>
    </details>
  )
}

type CouponSelectProps = {
  choices: readonly CouponChoice[]
  value: string
  takes: (choice: CouponChoice) => number | undefined
  /** Coupons that other lines use: they are not offered here. */
  elsewhere?: readonly string[]
  onValueChange: (issued: string) => void
}

function CouponSelect({ choices, value, takes, elsewhere = [], onValueChange }: CouponSelectProps) {
  const priced = choices
    .map((choice) => ({ choice, amount: takes(choice) }))
    .sort((one, other) => (other.amount ?? -1) - (one.amount ?? -1))
  const select = useRef<HTMLSelectElement>(null)
  const best = priced.find(({ choice, amount }) => amount !== undefined && !elsewhere.includes(choice._issued))
  return (
    <>
      <Select
        ref={select}
        value={value}
        placeholder="적용 안 함"
        options={priced.map(({ choice, amount }) => ({
          value: choice._issued,
          label:
            amount === undefined
              ? `${choice.name} (${couponUnavailableReason(choice) ?? '대상이 아님'})`
              : `${choice.name} (${formatMoney(-amount)})`,
          disabled: amount === undefined,
        }))}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {best?.amount === undefined ? (
        <p className="mt-1.5 text-ink-3 text-sm">쓸 수 있는 쿠폰이 없습니다.</p>
      ) : (
        value !== best.choice._issued && (
          <Button
            size="sm"
            variant="ghost"
            className="-ml-3 mt-1 h-auto min-h-9 max-w-full self-start whitespace-normal text-left"
            onClick={() => {
              onValueChange(best.choice._issued)
              // The button disappears: focus moves to the choice it made.
              select.current?.focus()
            }}
          >
            최대 할인 쿠폰 적용: {best.choice.name} ({formatMoney(-best.amount)})
          </Button>
        )
      )}
    </>
  )
}

export function PointsSection({ sheet, change, errors, preview }: Omit<BenefitsProps, 'settling'>) {
  const { available, usable, conditions, limitedBy, earns } = preview.points
  const [note, setNote] = useState<string>()
  const typed = sheet.pointText
  const settle = () => {
    if (typed === undefined) return
    const wrong = validAmount(typed)
    // What is no amount stays as it was typed, and the order waits for it (checkoutErrors).
    if (wrong) return setNote(wrong)
    const amount = parseMoney(typed) ?? 0
    setNote(amount > usable ? `${formatMoney(usable)}까지 쓸 수 있습니다.` : undefined)
    change({ point: Math.min(amount, usable), pointText: undefined })
  }
  const use = (amount: number) => {
    setNote(undefined)
    change({ point: amount, pointText: undefined })
  }
  const plain = (amount: number) => (amount === 0 ? '' : formatMoney(amount).replace(/^\D+/, ''))
  return (
    <Card
      title="적립금"
      headerAction={
        <span className="text-ink-2 text-sm">
          보유 <Money amount={available} className="font-semibold text-ink" />
        </span>
      }
    >
      <Field
        label="쓸 적립금"
        hideLabel
        error={note ?? errors.point}
        hint={
          available > 0 ? `이번 주문에 ${formatMoney(usable)}까지 쓸 수 있습니다.` : '쓸 수 있는 적립금이 없습니다.'
        }
      >
        <div className="flex gap-2">
          <Input
            inputMode="decimal"
            placeholder="0.00"
            disabled={usable === 0}
            value={typed ?? plain(sheet.point)}
            onChange={(event) => {
              setNote(undefined)
              change({ pointText: event.target.value })
            }}
            onBlur={settle}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter settles the amount; it does not send the order.
              event.preventDefault()
              settle()
            }}
          />
          {/* Each does one thing, whatever a click on it has settled in the field before. */}
          <Button variant="outline" disabled={usable === 0} onClick={() => use(usable)}>
            전액사용
          </Button>
          <Button variant="ghost" disabled={sheet.point === 0 && typed === undefined} onClick={() => use(0)}>
            사용 안 함
          </Button>
        </div>
      </Field>
      {earns > 0 && (
        <p className="mt-2 text-sm">
          구매를 확정하면 <Money amount={earns} className="font-semibold text-accent" />가 적립됩니다.
        </p>
      )}
      {conditions.length > 0 && (
        <ul aria-label="적립금 사용 조건" className="mt-2 grid gap-1 text-ink-3 text-sm">
          {conditions.map(({ code, message }) => (
            <li key={code} className={limitedBy.includes(code) ? 'font-semibold text-ink' : undefined}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
