// Invalid input is never saved as another value: it stays in its field, and the record stays unsaved.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { banner } from '../banners/resource'
import { coupon } from '../coupons/resource'
import { level } from '../levels/resource'
import Editor from '../products/OptionsEditor'
import { product } from '../products/resource'
import { setting } from '../setting/resource'
import { shipping } from '../shippings/resource'
import type { Document } from './formState'
import { ResourceForm } from './ResourceForm'
import type { ResourceDef, Section } from './resourceDefinition'
import { couponWorth, discount, showing } from './sharedFields'

withServer()

const onSave = vi.fn(async (_changes: Document) => 2)
beforeEach(() => {
  onSave.mockClear()
  server.use(http.get('*/api/*', () => HttpResponse.json({ summary: { totalCount: 0 } })))
})

const open = (def: ResourceDef, fields: Section['fields'], document: Document) =>
  renderPage(
    <ResourceForm
      kind={def.schema}
      def={{ ...def, preview: undefined, sections: [{ title: '시험', fields }] }}
      document={{ version: 1, ...document }}
      onSave={onSave}
    />,
  )
const box = (label: RegExp | string) => screen.getByLabelText<HTMLInputElement>(label)
const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))

const percent = { unit: 'PERCENT', value: 20, limit: null }
const priced = { price: 129_000, discount: percent }
const option = { _id: 'o1', name: '색', value: '빨강', price: 100, enabled: true, hexa: '#ff0000' }
const optional = {
  optionsConf: { enabled: true, sort: 'COLOR', criteria: ['색'] },
  options: [option],
  stock: [{ _stock: 'o1', available: 3 }],
}
/** The field of the form, with its editor at once. */
const options = { paths: ['optionsConf', 'options', 'stock'], component: Editor }
const plain = { optionsConf: { enabled: false }, options: [], stock: [{ _stock: 'p1', available: 3, sells: 0 }] }
const steps = { options: [{ method: 'parcel', fareType: 'fixed', fixedAmount: 3000 }] }

/** For each kind of input: the field, its value, the text typed over it. */
const CASES: [string, ResourceDef, Section['fields'], Document, RegExp | string, string][] = [
  ['a percent above 100', product, ['price', discount], priced, /^할인값/, '150'],
  ['a percent with decimals', product, ['price', discount], priced, /^할인값/, '2.5'],
  ['no percent at all', product, ['price', discount], priced, /^할인값/, ''],
  ['an amount with a word', product, ['price', discount], priced, '최대 할인 금액', '12원쯤'],
  ['a percent of a level', level, [discount], { discount: percent }, /^할인값/, '150'],
  ['a percent of a coupon', coupon, [couponWorth], { unit: 'PERCENT', value: 20, limit: null }, /^할인값/, '150'],
  ['a fixed sum of a coupon', coupon, [couponWorth], { unit: 'AMOUNT', value: 500, limit: null }, /^할인값/, '5.005'],
  ['a price', product, ['price'], priced, /^정가/, '12.345'],
  ['a percent field', level, ['pointsPercent'], { pointsPercent: 3 }, /^적립률/, '101'],
  ['a whole number', level, ['index'], { index: 3 }, /^순서/, '3.5'],
  ['a limit of the setting', setting, ['autoConfirmDays'], { autoConfirmDays: 7 }, /^자동 구매확정/, '31'],
  ['a price of an option', product, [options], optional, '빨강 추가금액', '3.x'],
  ['no price of an option', product, [options], optional, '빨강 추가금액', ''],
  ['a count of an option', product, [options], optional, '빨강 재고', '1.5'],
  ['a count below nothing', product, [options], plain, '재고', '-3'],
  ['no count', product, [options], plain, '재고', ''],
  ['a colour of an option', product, [options], optional, '빨강 색상', '#12'],
  ['a sum in a list', shipping, ['options'], steps, /^고정 배송비/, '3천'],
]

describe('invalid input', () => {
  it.each(CASES)('blocks saving and is kept: %s', async (_, def, fields, document, label, text) => {
    open(def, fields, document)
    const found = (await screen.findAllByLabelText<HTMLInputElement>(label)).filter((one) => one.type !== 'color')
    const input = found[0] as HTMLInputElement
    await userEvent.clear(input)
    if (text !== '') await userEvent.type(input, text)
    await save()
    expect(onSave).not.toHaveBeenCalled()
    expect(input.value).toBe(text)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    // The same by Ctrl+S.
    await userEvent.keyboard('{Control>}s{/Control}')
    expect(onSave).not.toHaveBeenCalled()
  })

  it('shows an error on blur, and can be saved once corrected', async () => {
    open(product, ['price', discount], priced)
    const worth = box(/^할인값/)
    await userEvent.clear(worth)
    await userEvent.type(worth, '150')
    await userEvent.tab()
    expect(screen.getByText('100 이하로 입력해 주세요.')).toBeTruthy()
    await userEvent.clear(worth)
    await userEvent.type(worth, '15')
    await save()
    await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1))
    expect(onSave.mock.calls[0]?.[0]).toEqual({ discount: { ...percent, value: 15 } })
  })

  it('includes a partly typed date', async () => {
    open(banner, showing.fields, { display: { enabled: true, hasPeriod: true, startedAt: null, endedAt: null } })
    const start = box('노출 시작')
    // A browser reports an empty value for partial input, with `badInput`.
    Object.defineProperty(start, 'validity', { value: { badInput: true }, configurable: true })
    fireEvent.keyUp(start, { key: '2' })
    await save()
    expect(onSave).not.toHaveBeenCalled()
    expect(start.getAttribute('aria-invalid')).toBe('true')
  })

  it('includes a name that no record has', async () => {
    open(product, ['name', '_shipping'], { name: '자전거', _shipping: '' })
    await userEvent.type(screen.getByRole<HTMLInputElement>('combobox', { name: /^배송 그룹/ }), '없는 그룹')
    await save()
    expect(onSave).not.toHaveBeenCalled()
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^배송 그룹/ }).value).toBe('없는 그룹')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^배송 그룹/ }).getAttribute('aria-invalid')).toBe(
      'true',
    )
  })

  it('does not block in a part of the form that is hidden', async () => {
    const def: ResourceDef = {
      ...level,
      sections: [
        { title: '등급', fields: ['name', 'isActive'] },
        { title: '혜택', fields: ['pointsPercent', discount], when: (draft) => draft.isActive === true },
      ],
    }
    const document = { version: 1, name: '금', isActive: true, pointsPercent: 3, discount: percent }
    renderPage(<ResourceForm kind={schemaOf('level')} def={def} document={document} onSave={onSave} />)
    await userEvent.type(box(/^적립률/), '00')
    await userEvent.type(box(/^할인값/), '00')
    await userEvent.click(box(/^사용/))
    await save()
    await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1))
    expect(onSave.mock.calls[0]?.[0]).toEqual({ isActive: false })
  })
})

it('Ctrl+S saves a tag that was not confirmed by Enter', async () => {
  open(product, ['name', 'hashtags'], { name: '자전거', hashtags: ['봄'] })
  await userEvent.type(box('해시태그'), '여름')
  await userEvent.keyboard('{Control>}s{/Control}')
  await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1))
  expect(onSave.mock.calls[0]?.[0]).toEqual({ hashtags: ['봄', '여름'] })
  expect(document.activeElement).toBe(box('해시태그'))
})

/** Functions that convert text to values, including those that drop invalid parts. */
const PARSES =
  /\bparseMoney\b|\bUnitInput\b|\bvalueAsNumber\b|\b(Number|parseInt|parseFloat)\((event|target|typed|text|input)\b|\.replace\(\/(\\D|\[\^)/

/** Files that convert text themselves, and why they may: each has its own test of invalid text. */
const OWN: Record<string, string> = {
  'console/ledgers/PointInTimeView.tsx': 'a slider has no text',
  'features/addresses/AddressFields.tsx': 'a postcode is five digits, whatever is typed between them',
  'features/inquiryForms/answers.ts': 'numbers of a form: answers.test',
  'lib/money.ts': 'what an amount is',
  'lib/phone.ts': 'a phone number is its digits',
  'lib/validators.ts': 'whether a text is an amount or a percent',
  'shop/order/DiscountSection.tsx': 'points: order.test',
  'shop/products/Filters.tsx': 'a range of prices: products.test',
  'ui/NumberStepper.tsx': 'a quantity: ui.test',
}

it('only the CRUD framework decides what is valid', () => {
  const sources = import.meta.glob('../../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })
  const others = Object.entries(sources as Record<string, string>)
    .map(([file, text]) => [new URL(file, 'file:///console/crud/').pathname.slice(1), text] as const)
    .filter(([file]) => !/^console\/crud\/|^testing\/|\.test\.|\.gen\./.test(file))
  for (const place of ['account', 'app', 'console', 'features', 'lib', 'mypage', 'shop', 'ui'])
    expect(others.filter(([file]) => file.startsWith(`${place}/`)).length, place).toBeGreaterThan(5)
  const own = others.filter(([, text]) => PARSES.test(text)).map(([file]) => file)
  expect(own.sort()).toEqual(Object.keys(OWN))
})
