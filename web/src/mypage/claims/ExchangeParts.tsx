// The options a purchase can be exchanged for, and the cost.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { apiQueryKey } from '../../api/query'
import type { ExchangeChoices, Fault, OrderDetail, PurchaseRow } from '../../api/types'
import { applicationHref } from '../../features/claims/claimHrefs'
import { differenceFacts, differenceText } from '../../features/claims/difference'
import { ButtonLink } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { ErrorState, Loading, Skeleton } from '../../ui/states'

const CHOICES = '/api/v1/me/purchases/{purchaseNo}/exchange'

/** The current stock and prices, read again for each application; amounts are for this many pieces. */
export const useExchangeChoices = (
  order: string,
  purchaseNo: string,
  quantity: number,
): UseQueryResult<ExchangeChoices> =>
  useQuery({
    queryKey: apiQueryKey(CHOICES, { path: { purchaseNo }, query: { quantity } }),
    queryFn: ({ signal }) =>
      call('GET', CHOICES, { path: { purchaseNo }, query: { quantity }, headers: guestOrderHeaders(order), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

type ExchangeChoice = ExchangeChoices['choices'][number]

/** Label of a choice if the product has no options. */
const SAME = '같은 상품'

/** Note of a choice: its price difference, the ordered option, sold out, or the stock if too low. */
const noteOf = ({ ordered, available, name, difference }: ExchangeChoice, quantity: number): string =>
  [
    differenceText(difference, quantity),
    ordered && name && '주문한 옵션',
    available === 0 ? '품절' : available < quantity && `재고 ${available}개`,
  ]
    .filter(Boolean)
    .join(' · ')

const idOf = ({ _id }: ExchangeChoice): string => _id ?? ''

/** The choice with this option. */
export const choiceOf = (
  choices: ExchangeChoices | undefined,
  option: string | undefined,
): ExchangeChoice | undefined => choices?.choices.find((one) => idOf(one) === option)

/** The chosen option if enough of it is in stock; a single option is preselected. */
export function chosenOption(
  { choices }: Pick<ExchangeChoices, 'choices'>,
  quantity: number,
  wanted: string | undefined,
): string | undefined {
  const there = choices.filter(({ available }) => available >= quantity).map(idOf)
  return choices.length === 1 ? there[0] : there.find((option) => option === wanted)
}

type ReplacementChooserProps = {
  query: UseQueryResult<ExchangeChoices>
  order: OrderDetail
  line: PurchaseRow
  quantity: number
  value: string | undefined
  onValueChange: (option: string) => void
  error: string | undefined
}

export function ReplacementChooser({
  query,
  order,
  line,
  quantity,
  value,
  onValueChange,
  error,
}: ReplacementChooserProps) {
  const { data } = query
  const isThere = ({ available }: ExchangeChoice) => available >= quantity
  return (
    <Card title="교환해서 받을 상품">
      {data ? (
        <>
          <RadioGroup
            legend="교환해서 받을 상품"
            hideLegend
            look="card"
            options={data.choices.map((choice) => ({
              value: idOf(choice),
              label: choice.name ?? SAME,
              text: noteOf(choice, quantity) || undefined,
              disabled: !isThere(choice),
            }))}
            value={value}
            onValueChange={onValueChange}
            error={error}
          />
          <p className="mt-4 text-ink-3 text-sm">
            더 저렴한 옵션은 차액을 돌려드리고, 더 비싼 옵션은 새 상품을 보내기 전에 차액을 결제받습니다.
          </p>
          {!data.choices.some(isThere) && (
            <Notice
              tone="warning"
              className="mt-3"
              action={
                line.nextActions.includes('requestReturn') && (
                  <ButtonLink to={applicationHref('RETURN', order._id, line.purchaseNo)} size="sm" variant="outline">
                    반품신청
                  </ButtonLink>
                )
              }
            >
              지금은 교환할 수 있는 재고가 부족합니다. 수량을 줄이거나 반품을 신청해 주세요.
            </Notice>
          )}
        </>
      ) : query.error ? (
        <ErrorState error={toApiError(query.error)} onRetry={() => void query.refetch()} className="py-6" />
      ) : (
        <Loading>
          <Skeleton className="h-20" />
        </Loading>
      )}
    </Card>
  )
}

/** What goes back to the buyer for a cheaper option. */
export function DifferenceBack({ choice }: { choice: ExchangeChoice | undefined }) {
  if (!choice || choice.difference >= 0) return null
  const facts = differenceFacts(choice.back, false)
  return (
    <Card title="차액 환불">
      <div aria-live="polite">
        {facts.length > 0 ? (
          <Facts rows={facts} />
        ) : (
          <p className="text-ink-2">할인을 받아 결제하신 금액이 없어 돌려드릴 차액이 없습니다.</p>
        )}
      </div>
      <p className="mt-3 text-ink-2 text-sm">차액은 새 상품을 보내 드릴 때 결제하신 방법으로 돌려드립니다.</p>
    </Card>
  )
}

type ExchangeCostProps = { fault: Fault | undefined; fee: number | undefined; price: number }

/** What the buyer pays, for the way if at fault and for a dearer option, and how. */
export function ExchangeCost({ fault, fee, price }: ExchangeCostProps) {
  const pays = fault === 'BUYER' && fee !== 0
  const isDearer = price > 0
  return (
    <Card title={isDearer ? '교환 비용' : '교환 배송비'}>
      <div aria-live="polite">
        {!fault ? (
          <p className="text-ink-2">
            교환 사유를 선택하면 {isDearer ? '결제하실 금액을' : '교환 배송비를'} 보여 드립니다.
          </p>
        ) : (
          fee !== undefined && (
            <Facts
              rows={[
                ...(isDearer ? [{ name: '옵션 차액', value: <Money amount={price} /> }] : []),
                {
                  name: pays
                    ? '왕복 배송비'
                    : `${isDearer ? '배송비 ' : ''}${fault === 'SELLER' ? '판매자 부담' : '무료'}`,
                  value: <Money amount={pays ? fee : 0} className={isDearer ? undefined : 'font-bold'} />,
                },
                ...(isDearer
                  ? [
                      {
                        name: '결제하실 금액',
                        value: <Money amount={price + (pays ? fee : 0)} className="font-bold" />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        )}
      </div>
      <p className="mt-3 text-ink-2 text-sm">
        {isDearer &&
          '지금은 결제하지 않습니다. 판매자가 상품을 확인한 뒤 카드나 계좌이체로 받고, 결제되면 새 상품을 보내 드립니다. '}
        {pays &&
          !isDearer &&
          '교환 배송비는 판매자가 상품을 확인한 뒤 카드나 계좌이체로 받습니다. 결제되면 새 상품을 보내 드립니다. '}
        {fault === 'SELLER' && '상품을 확인한 결과에 따라 교환 배송비를 부담하실 수 있습니다. '}
        상품을 수거하기 전에는 신청을 철회할 수 있습니다.
      </p>
    </Card>
  )
}
