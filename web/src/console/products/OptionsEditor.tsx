// The options of a product: a matrix of criteria, with the price and stock of each option.

import { Grid3x3, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../api/session'
import { Button, IconButton } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import type { InvalidEntry } from '../crud/entry'
import { ImageInput } from '../crud/fields/controls'
import { isDocument } from '../crud/formState'
import { ColorInput } from '../crud/inputs/ColorInput'
import { NumberField } from '../crud/inputs/NumberField'
import { TagsInput } from '../crud/inputs/TagsInput'
import type { EditProps } from '../crud/resourceDefinition'
import { ExplainableAmount } from '../explain/ExplainableAmount'
import { explainWords } from '../explain/words'
import { words } from '../words'
import { OptionsFill } from './OptionsFill'
import { freshKey } from './options'
import { QuantityField } from './QuantityField'

/** A stock: available pieces, and pieces sold. */
export type OptionStock = { _stock: string; available: number; sells?: number }

type Option = {
  _id?: string
  /** Key of an unsaved option. */
  key?: string
  name: string
  value: string
  price: number | InvalidEntry
  enabled: boolean
  hexa?: string | null | InvalidEntry
  code?: string | null
  image?: unknown
  stock?: number | InvalidEntry
}
type Conf = { enabled?: boolean; sort?: string | null; criteria?: string[] }
/** `available` is the stock at the time of the count: an order since then is reported and not overwritten. */
type Count = { _stock: string; quantity: number | InvalidEntry; available?: number }

const SEPARATOR = ' / '
const keyOf = (option: Option): string => option._id ?? option.key ?? ''

/** Every combination of one value of each criterion; none while a criterion has no values. */
export const combinations = (values: readonly (readonly string[])[]): string[] =>
  values.length === 0
    ? []
    : values.reduce<string[]>(
        (made, some) => made.flatMap((one) => some.map((value) => (one === '' ? value : one + SEPARATOR + value))),
        [''],
      )

/** Renames options after the criteria that shoppers choose by: those that have a value of each. */
const named = (options: readonly Option[], criteria: readonly string[]): Option[] =>
  options.map((option) =>
    option.value.split(SEPARATOR).length === criteria.length ? { ...option, name: criteria.join(SEPARATOR) } : option,
  )

const hasNames = (criteria: readonly string[]): boolean => criteria.every((name) => name.trim() !== '')

/** The values each criterion has among the options. */
export const valuesOf = (options: readonly Option[], criteria: readonly string[]): string[][] =>
  criteria.map((_, i) => [...new Set(options.flatMap((option) => option.value.split(SEPARATOR)[i] ?? []))])

/** Options and stock. Counts are recorded in the stock ledger by the same save. */
export default function OptionsEditor({ draft, document, isNew, setValue, errors }: EditProps) {
  const conf: Conf = isDocument(draft.optionsConf) ? draft.optionsConf : {}
  const options = (draft.options as Option[] | undefined) ?? []
  const piles = (document.stock as OptionStock[] | undefined) ?? []
  const counts = (Array.isArray(draft.stock) ? draft.stock : []).filter((one) => 'quantity' in one) as Count[]
  const criteria = conf.criteria ?? []
  const pileOf = (id: string | undefined) => piles.find((pile) => pile._stock === id)
  const quantityOf = (id: string | undefined) =>
    counts.find((count) => count._stock === id)?.quantity ?? pileOf(id)?.available ?? 0

  const putCounts = (next: readonly Count[]) => setValue('stock', next.length > 0 ? next : document.stock)
  const count = (id: string, quantity: number | InvalidEntry) => {
    const others = counts.filter((one) => one._stock !== id)
    const available = pileOf(id)?.available
    putCounts(quantity === available ? others : [...others, { _stock: id, quantity, available }])
  }
  /** One count for every option that is saved. */
  const countAll = (quantity: number) => {
    const saved = options.flatMap(({ _id }) => (_id === undefined ? [] : [_id]))
    const changed = saved.filter((id) => pileOf(id)?.available !== quantity)
    putCounts(changed.map((id) => ({ _stock: id, quantity, available: pileOf(id)?.available })))
  }
  const wrongOf = (id: string | undefined) =>
    id && errors[`stock.${counts.findIndex((one) => one._stock === id)}.quantity`]
  // Products with and without options have separate stocks: counts do not carry over.
  const enable = (enabled: boolean) => {
    setValue('optionsConf', { criteria: [], ...conf, enabled })
    setValue('stock', document.stock)
    if (!enabled && options.length > 0)
      setValue(
        'options',
        options.map(({ stock: _, ...rest }) => rest),
      )
  }
  const remove = (option: Option) => {
    setValue(
      'options',
      options.filter((one) => keyOf(one) !== keyOf(option)),
    )
    putCounts(counts.filter((one) => one._stock !== option._id))
  }
  const edit = (key: string, part: Partial<Option>) =>
    setValue(
      'options',
      options.map((option) => (keyOf(option) === key ? { ...option, ...part } : option)),
    )
  const newOption = (value: string): Option => ({
    key: freshKey(),
    name: criteria.join(SEPARATOR) || '옵션',
    value,
    price: 0,
    enabled: true,
    stock: 0,
  })

  return (
    <div className="grid gap-5">
      <Checkbox label="옵션 사용" checked={conf.enabled === true} onChange={(event) => enable(event.target.checked)} />
      {!conf.enabled && (
        <OptionStockRow
          piles={piles}
          isNew={isNew}
          draft={draft}
          put={setValue}
          onCount={count}
          quantityOf={quantityOf}
          error={wrongOf(piles[0]?._stock) || errors.stock}
        />
      )}
      {conf.enabled && (
        <>
          <Matrix
            // Another version of the product has other values.
            key={String(document.version)}
            conf={conf}
            options={options}
            onConf={(next) => {
              setValue('optionsConf', next)
              const names = next.criteria ?? []
              if (names !== criteria && hasNames(names)) setValue('options', named(options, names))
            }}
            onFill={(names, values) => {
              const known = new Set(options.map((option) => option.value))
              setValue('optionsConf', { ...conf, criteria: names })
              const more = combinations(values).filter((value) => !known.has(value))
              setValue('options', named([...options, ...more.map(newOption)], names))
            }}
          />
          {options.length > 1 && (
            <OptionsFill
              onFill={({ stock, ...part }) => {
                setValue(
                  'options',
                  options.map((option) => ({
                    ...option,
                    ...part,
                    ...(stock !== undefined && !option._id && { stock }),
                  })),
                )
                if (stock !== undefined) countAll(stock)
              }}
            />
          )}
          <ul className="grid gap-3">
            {options.map((option, i) => {
              const key = keyOf(option)
              const called = option.value || `${i + 1}번째 옵션`
              return (
                <li
                  key={key}
                  className="grid grid-cols-2 items-end gap-3 border-line border-b pb-3 last:border-0 sm:grid-cols-[minmax(0,1fr)_8.5rem_7rem_auto_auto]"
                >
                  <Small label="옵션값" of={called} error={errors[`options.${i}.value`]}>
                    <Input
                      value={option.value}
                      maxLength={100}
                      onChange={(event) => edit(key, { value: event.target.value })}
                    />
                  </Small>
                  <NumberField
                    label={<SmallLabel label="추가금액" of={called} />}
                    name="추가금액"
                    type="amount"
                    required
                    value={option.price}
                    error={errors[`options.${i}.price`]}
                    onValueChange={(price) => price !== null && edit(key, { price })}
                  />
                  <QuantityField
                    label={<SmallLabel label="재고" of={called} />}
                    value={option._id ? quantityOf(option._id) : (option.stock ?? 0)}
                    error={wrongOf(option._id) || errors[`options.${i}.stock`]}
                    onValueChange={(stock) => (option._id ? count(option._id, stock) : edit(key, { stock }))}
                  />
                  <Checkbox
                    className="pb-3"
                    label="판매"
                    aria-label={`${called} 판매`}
                    checked={option.enabled}
                    onChange={(event) => edit(key, { enabled: event.target.checked })}
                  />
                  <IconButton
                    size="sm"
                    className="mb-1.5 max-sm:order-last max-sm:col-start-2 max-sm:justify-self-end"
                    label={`${called} 삭제`}
                    onClick={() => remove(option)}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                  <Small
                    label="옵션 코드"
                    of={called}
                    error={errors[`options.${i}.code`]}
                    className="max-sm:col-span-2"
                  >
                    <Input
                      value={option.code ?? ''}
                      maxLength={50}
                      onChange={(event) => edit(key, { code: event.target.value || null })}
                    />
                  </Small>
                  <ImageInput
                    label={`${called} 이미지`}
                    className="col-span-2 sm:col-span-4"
                    value={option.image}
                    error={errors[`options.${i}.image.url`]}
                    onValueChange={(image) => edit(key, { image })}
                  />
                  {conf.sort === 'COLOR' && (
                    <Small label="색상" of={called} error={errors[`options.${i}.hexa`]} className="max-sm:col-span-2">
                      <ColorInput
                        label={`${called} 색상`}
                        value={option.hexa}
                        onValueChange={(hexa) => edit(key, { hexa })}
                      />
                    </Small>
                  )}
                </li>
              )
            })}
          </ul>
          {errors.options && (
            <p role="alert" className="text-danger text-sm">
              {errors.options}
            </p>
          )}
          <div>
            <Button size="sm" variant="outline" onClick={() => setValue('options', [...options, newOption('')])}>
              <Plus aria-hidden />
              옵션 추가
            </Button>
          </div>
        </>
      )}
      <OptionStocks piles={piles} options={options} />
    </div>
  )
}

/** The numbers of the stock ledgers, each with its explanation: for staff only. */
function OptionStocks({ piles, options }: { piles: readonly OptionStock[]; options: readonly Option[] }) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  if (!isStaff || piles.length === 0) return null
  const called = (id: string) => options.find((option) => option._id === id)?.value
  return (
    <section aria-label={explainWords.stock} className="text-sm">
      <h3 className="font-semibold">{explainWords.stock}</h3>
      <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
        {piles.map((pile) => (
          <li key={pile._stock} className="figures">
            {called(pile._stock)}{' '}
            <ExplainableAmount amount="available" of={{ subject: 'stock', id: pile._stock }}>
              {words.pieces(pile.available)}
            </ExplainableAmount>
          </li>
        ))}
      </ul>
    </section>
  )
}

type OptionStockRowProps = {
  piles: readonly OptionStock[]
  isNew: boolean
  draft: Record<string, unknown>
  put: (path: string, value: unknown) => void
  onCount: (id: string, quantity: number | InvalidEntry) => void
  quantityOf: (id: string) => number | InvalidEntry
  error: string | undefined
}

/** A product without options has one stock; a new product gets it with its first count. */
function OptionStockRow({ piles, isNew, draft, put, onCount, quantityOf, error }: OptionStockRowProps) {
  const pile = piles[0]
  if (!pile && !isNew) return <p className="text-ink-3 text-sm">저장한 뒤 재고를 입력할 수 있습니다.</p>
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <QuantityField
        label="재고"
        hint={pile && `지금까지 ${pile.sells ?? 0}개 판매`}
        value={pile ? quantityOf(pile._stock) : (draft.stock ?? 0)}
        error={error}
        onValueChange={(quantity) => (pile ? onCount(pile._stock, quantity) : put('stock', quantity))}
      />
    </div>
  )
}

type MatrixProps = {
  conf: Conf
  options: readonly Option[]
  onConf: (conf: Conf) => void
  onFill: (names: string[], values: string[][]) => void
}

const MOST = 3

/** The criteria and their values; missing combinations are added. */
function Matrix({ conf, options, onConf, onFill }: MatrixProps) {
  const criteria = conf.criteria ?? []
  const [values, setValues] = useState<string[][]>(() => valuesOf(options, criteria))
  const rename = (i: number, name: string) =>
    onConf({ ...conf, criteria: criteria.map((one, place) => (place === i ? name : one)) })
  const all = criteria.map((_, i) => values[i] ?? [])
  const made = combinations(all)
  const missing = made.filter((value) => !options.some((option) => option.value === value)).length
  return (
    <div className="grid gap-3 rounded-md bg-sunken p-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="옵션 종류">
          <Select
            options={[
              { value: 'OTHER', label: '기타' },
              { value: 'COLOR', label: '색상' },
            ]}
            value={conf.sort ?? 'OTHER'}
            onChange={(event) => onConf({ ...conf, sort: event.target.value })}
          />
        </Field>
      </div>
      {criteria.map((name, i) => (
        <div key={i} className="grid items-start gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
          <Field
            label={`${i + 1}번째 기준`}
            hint={name.trim() === '' ? '이름을 입력해야 조합을 만들 수 있습니다.' : undefined}
          >
            <Input
              value={name}
              placeholder="예: 사이즈"
              maxLength={50}
              onChange={(event) => rename(i, event.target.value)}
            />
          </Field>
          <Field label={`${name || `${i + 1}번째 기준`}의 값`} hint="쉼표나 Enter로 구분합니다.">
            <TagsInput
              value={values[i] ?? []}
              onValueChange={(next) =>
                setValues(criteria.map((_, place) => (place === i ? next : (values[place] ?? []))))
              }
            />
          </Field>
          <IconButton
            size="sm"
            className="max-sm:justify-self-end sm:mt-8"
            label={`${name || `${i + 1}번째 기준`} 삭제`}
            onClick={() => {
              onConf({ ...conf, criteria: criteria.filter((_, place) => place !== i) })
              setValues(all.filter((_, place) => place !== i))
            }}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="outline"
          disabled={criteria.length >= MOST}
          onClick={() => onConf({ ...conf, criteria: [...criteria, ''] })}
        >
          <Plus aria-hidden />
          기준 추가
        </Button>
        <Button
          size="sm"
          variant="outline"
          disabled={missing === 0 || !hasNames(criteria)}
          onClick={() => onFill(criteria, all)}
        >
          <Grid3x3 aria-hidden />
          {missing > 0 ? `조합 ${missing}개 만들기` : made.length > 0 ? '모든 조합이 있습니다' : '조합 만들기'}
        </Button>
      </div>
    </div>
  )
}

type SmallProps = { label: string; of: string; error?: string; className?: string; children: ReactNode }

/** A small field of a row: its label is short on screen and complete for a screen reader. */
const Small = ({ label, of, error, className, children }: SmallProps) => (
  <Field className={className} label={<SmallLabel label={label} of={of} />} error={error}>
    {children}
  </Field>
)

const SmallLabel = ({ label, of }: { label: string; of: string }) => (
  <>
    <span className="sr-only">{of} </span>
    {label}
  </>
)
