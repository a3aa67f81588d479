// Price differences of exchanges for options of another price.
import type { PriceDifference } from '../../api/types'
import { formatMoney } from '../../lib/money'
import { Money } from '../../ui/Money'

/** The difference of an option, per piece; empty without one. */
export const differenceText = (difference: number, quantity: number): string =>
  difference === 0 ? '' : `${quantity > 1 ? '개당 ' : ''}${difference > 0 ? '+' : ''}${formatMoney(difference)}`

/** What goes back for a cheaper option: expected, or given once the replacement is sent. */
export const differenceFacts = ({ money, points }: PriceDifference, given: boolean) =>
  [
    { name: given ? '돌려드린 차액' : '돌려드릴 차액', amount: money },
    { name: given ? '돌려드린 적립금' : '돌려드릴 적립금', amount: points },
  ]
    .filter(({ amount }) => amount > 0)
    .map(({ name, amount }) => ({ name, value: <Money amount={amount} /> }))
