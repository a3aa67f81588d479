// The options of a product with their prices and counted stock; a product without options has one pile.
import { Plus } from 'lucide-react'
import { formatMoney, parseMoney } from '../../lib/money'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Checkbox } from '../../ui/Choice'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import type { Document } from '../records/fields'
import type { ExtraProps } from '../records/RecordForm'
import { Cell } from './Cell'

/** A pile of stock: pieces no order has taken, and pieces sold. */
export type Stock = { _stock: string; available: number; sells?: number }

type Option = {
  _id?: string
  key?: string
  name: string
  value: string
  price: number
  enabled: boolean
  stock?: number
}

type Count = { _stock: string; quantity: number }

const money = (amount: number): string => formatMoney(amount, { sign: '', decimals: 2 })
const keyOf = (option: Option): string => option._id ?? option.key ?? ''

/** Sets or takes back one count, leaving the others. */
function counted(counts: readonly Count[], stock: string, quantity: number, was: number): Count[] {
  const others = counts.filter((count) => count._stock !== stock)
  return quantity === was ? others : [...others, { _stock: stock, quantity }]
}

export function Options({ document, value, onValue, errors }: ExtraProps & { document: Document }) {
  const piles = (document.stock as Stock[] | undefined) ?? []
  const hasOptions = (document.optionsConf as { enabled?: boolean } | undefined)?.enabled === true
  const options = (value.options as Option[] | undefined) ?? (document.options as Option[] | undefined) ?? []
  const counts = (value.stock as Count[] | undefined) ?? []
  const pileOf = (id: string | undefined) => piles.find((pile) => pile._stock === id)
  const quantityOf = (id: string | undefined) =>
    counts.find((count) => count._stock === id)?.quantity ?? pileOf(id)?.available ?? 0

  const put = (part: Document) => {
    const next = { ...value, ...part }
    onValue(Object.fromEntries(Object.entries(next).filter(([, one]) => !(Array.isArray(one) && one.length === 0))))
  }
  const count = (id: string, text: string) => {
    const quantity = Number(text)
    if (Number.isSafeInteger(quantity) && quantity >= 0)
      put({ stock: counted(counts, id, quantity, pileOf(id)?.available ?? -1) })
  }
  const edit = (key: string, part: Partial<Option>) =>
    put({ options: options.map((option) => (keyOf(option) === key ? { ...option, ...part } : option)) })

  if (!hasOptions) {
    const pile = piles[0]
    if (!pile) return null
    return (
      <Card title="재고">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="남은 수량" hint={`지금까지 ${pile.sells ?? 0}개 판매`}>
            <Input
              inputMode="numeric"
              value={quantityOf(pile._stock)}
              onChange={(event) => count(pile._stock, event.target.value)}
            />
          </Field>
        </div>
      </Card>
    )
  }
  const add = () =>
    put({
      options: [
        ...options,
        {
          key: `new-${options.length}`,
          name: options[0]?.name ?? '옵션',
          value: '',
          price: 0,
          enabled: true,
          stock: 0,
        },
      ],
    })
  return (
    <Card
      title="옵션과 재고"
      aside={
        <Button size="sm" variant="outline" onClick={add}>
          <Plus aria-hidden />
          옵션 추가
        </Button>
      }
    >
      <ul className="grid gap-3">
        {options.map((option, i) => {
          const key = keyOf(option)
          const called = option.value || `${i + 1}번째 옵션`
          return (
            <li
              key={key}
              className="grid grid-cols-2 items-end gap-3 border-line border-b pb-3 last:border-0 last:pb-0 sm:grid-cols-[1fr_1fr_7rem_6rem_auto]"
            >
              <Cell label="구분" of={called}>
                <Input value={option.name} onChange={(event) => edit(key, { name: event.target.value })} />
              </Cell>
              <Cell label="값" of={called} error={errors[`options.${i}.value`]}>
                <Input value={option.value} onChange={(event) => edit(key, { value: event.target.value })} />
              </Cell>
              <Cell label="추가금액" of={called} error={errors[`options.${i}.price`]}>
                <Input
                  inputMode="decimal"
                  defaultValue={money(option.price)}
                  onBlur={(event) => {
                    const price = parseMoney(event.target.value)
                    if (price === undefined) event.target.value = money(option.price)
                    else if (price !== option.price) edit(key, { price })
                  }}
                />
              </Cell>
              <Cell label="재고" of={called}>
                <Input
                  inputMode="numeric"
                  value={option._id ? quantityOf(option._id) : (option.stock ?? 0)}
                  onChange={(event) =>
                    option._id
                      ? count(option._id, event.target.value)
                      : edit(key, { stock: Number(event.target.value.replace(/\D/g, '')) })
                  }
                />
              </Cell>
              <Checkbox
                className="pb-3"
                label="판매"
                aria-label={`${called} 판매`}
                checked={option.enabled}
                onChange={(event) => edit(key, { enabled: event.target.checked })}
              />
            </li>
          )
        })}
      </ul>
      {errors.options && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {errors.options}
        </p>
      )}
    </Card>
  )
}
