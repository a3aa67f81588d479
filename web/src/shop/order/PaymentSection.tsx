// 결제수단 and 결제금액: how it is paid, and what it comes to.

import { useApiQuery } from '../../api/query'
import type { PayMethod, Preview } from '../../api/types'
import { farePartsText } from '../../features/orders/fareBreakdown'
import { fareOf } from '../../features/orders/fares'
import { PAY_CONFIG } from '../../features/payment/api'
import { BankAccountFields } from '../../features/refunds/BankAccountFields'
import { payMethodWords } from '../../i18n/payMethodWords'
import { cn } from '../../lib/cn'
import { Card } from '../../ui/Card'
import { Checkbox, RadioGroup } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Input, PhoneInput } from '../../ui/Input'
import { Fare, Money } from '../../ui/Money'
import type { CheckoutSectionProps } from './SenderReceiverForm'

const METHODS: readonly { value: PayMethod; label: string; text: string }[] = [
  { value: 'card', label: payMethodWords.card, text: '카드사 앱과 간편결제 포함' },
  { value: 'bank', label: payMethodWords.bank, text: '내 계좌에서 바로 이체' },
  { value: 'vbank', label: payMethodWords.vbank, text: '받은 계좌로 입금' },
  { value: 'cellphone', label: payMethodWords.cellphone, text: '통신 요금에 합산' },
]
/** A receipt for the tax office goes with money that leaves a bank account. */
const WITH_RECEIPT: readonly PayMethod[] = ['bank', 'vbank']

export function PaymentMethodSection({ sheet, change, errors, free }: CheckoutSectionProps & { free: boolean }) {
  const { data } = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY })
  const offered = METHODS.filter(({ value }) => data?.config.methods.includes(value) ?? value === 'card')
  return (
    <Card title="결제수단">
      {free ? (
        <p className="text-ink-2">쿠폰과 적립금으로 모두 결제됩니다.</p>
      ) : (
        <>
          <RadioGroup
            legend="결제수단"
            hideLegend
            look="card"
            options={offered}
            value={sheet.method}
            onValueChange={(method) =>
              change({ method, cashReceipt: sheet.cashReceipt && WITH_RECEIPT.includes(method) })
            }
            error={errors.paymentMethod}
          />
          {sheet.method === 'vbank' && (
            <div className="mt-5 grid gap-4 border-line border-t pt-5">
              <p className="text-ink-2 text-sm">
                주문하면 입금할 계좌를 알려 드립니다. 계좌 발급 후 {data?.config.depositHours ?? 72}시간 안에 입금하지
                않으면 주문이 자동으로 취소됩니다.
              </p>
              <Field
                label="입금자명"
                hint="비워 두면 주문자 이름으로 입금합니다."
                error={errors.depositor}
                className="max-w-xs"
              >
                <Input
                  autoComplete="off"
                  maxLength={13}
                  value={sheet.depositor}
                  onChange={(event) => change({ depositor: event.target.value })}
                />
              </Field>
              <BankAccountFields
                value={sheet.account}
                onValueChange={(account) => change({ account })}
                errors={errors}
              />
              <p className="text-ink-3 text-sm">
                환불 계좌는 취소하거나 잘못 입금했을 때 환불하는 데만 사용하고, 암호화해 보관합니다.
              </p>
            </div>
          )}
          {WITH_RECEIPT.includes(sheet.method) && (
            <div className="mt-4">
              <Checkbox
                label="현금영수증 신청 (소득공제용)"
                checked={sheet.cashReceipt}
                onChange={(event) =>
                  change({
                    cashReceipt: event.target.checked,
                    cashReceiptPhone: sheet.cashReceiptPhone || sheet.sender.phone,
                  })
                }
              />
              {sheet.cashReceipt && (
                <Field
                  label="현금영수증 휴대폰 번호"
                  required
                  error={errors['cashReceipt.phone']}
                  className="mt-3 max-w-xs"
                >
                  <PhoneInput
                    value={sheet.cashReceiptPhone}
                    onValueChange={(cashReceiptPhone) => change({ cashReceiptPhone })}
                  />
                </Field>
              )}
            </div>
          )}
          {data?.config.sandbox && (
            <p className="mt-4 rounded-md bg-info-soft px-4 py-2.5 text-info text-sm">
              체험용 결제창이 열립니다. 실제로 결제되지 않습니다.
            </p>
          )}
        </>
      )}
    </Card>
  )
}

export function TotalsSection({ preview, settling }: { preview: Preview; settling: boolean }) {
  const { totals, fares } = preview.quote
  const rows = [
    { name: '상품금액', amount: totals.goods },
    { name: '상품 할인', amount: -totals.productDiscount },
    { name: '회원 등급 할인', amount: -totals.levelDiscount },
    { name: '상품 쿠폰', amount: -totals.productCoupon },
    { name: '배송비 쿠폰', amount: -totals.fareCoupon },
    { name: '주문 쿠폰', amount: -totals.totalCoupon },
    { name: '적립금', amount: -totals.points },
  ].filter(({ name, amount }) => amount !== 0 || name === '상품금액')
  const [goods, ...off] = rows
  const split = farePartsText(fares)
  return (
    <div aria-live="polite" aria-busy={settling} className={cn('transition-opacity', settling && 'opacity-50')}>
      <dl className="grid gap-2.5">
        {goods && <AmountRow {...goods} />}
        <div className="flex justify-between gap-6">
          <dt className="shrink-0 text-ink-2">배송비</dt>
          <dd className="text-right">
            <Fare amount={totals.fares} />
            {split && <p className="text-ink-3 text-sm">{split}</p>}
          </dd>
        </div>
        {fares.length > 1 &&
          fares.map((fare) => (
            <div key={fare.purchaseNos.join()} className="-mt-1.5 flex justify-between gap-6 pl-3 text-ink-3 text-sm">
              <dt className="truncate">
                {fare.name} ({fare.purchaseNos.length}개 상품)
              </dt>
              <dd>
                <Fare amount={fareOf(fare)} />
              </dd>
            </div>
          ))}
        {off.map((row) => (
          <AmountRow key={row.name} {...row} />
        ))}
      </dl>
      <p className="mt-4 flex items-baseline justify-between border-line border-t pt-4">
        <span className="font-bold">최종 결제금액</span>
        <Money amount={totals.payable} className="font-extrabold text-2xl text-accent" />
      </p>
      <p className="mt-1 text-right text-ink-3 text-xs">부가세 포함</p>
    </div>
  )
}

const AmountRow = ({ name, amount }: { name: string; amount: number }) => (
  <div className="flex justify-between gap-6">
    <dt className="shrink-0 text-ink-2">{name}</dt>
    <dd className={cn(amount < 0 && 'text-accent')}>
      <Money amount={amount} />
    </dd>
  </div>
)
