// The options of a product: names follow the criteria, combinations are complete, and a count belongs to its stock.

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { type Document, setIn } from '../crud/formState'
import Editor, { combinations } from './OptionsEditor'

const option = (id: string, value: string, more: Document = {}) => ({
  ...{ _id: id, name: '사이즈 / 색', value, price: 0, enabled: true },
  ...more,
})
const product = (more: Document = {}): Document => ({
  version: 1,
  optionsConf: { enabled: true, sort: 'OTHER', criteria: ['사이즈', '색'] },
  options: [option('o1', 'S / 빨강'), option('o2', 'M / 빨강')],
  stock: [
    { _stock: 'o1', available: 3, sells: 0 },
    { _stock: 'o2', available: 5, sells: 1 },
  ],
  ...more,
})

let draft: Document
let errors: Record<string, string> = {}
function Form({ from, isNew = false }: { from: Document; isNew?: boolean }) {
  const [base, setBase] = useState(from)
  const [now, setNow] = useState(from)
  draft = now
  const newer = { ...from, version: 2, options: [option('o1', 'S / 빨강', { price: 700 })] }
  return (
    <>
      <Editor
        schema={schemaOf('product')}
        draft={now}
        document={base}
        isNew={isNew}
        readOnly={false}
        errors={errors}
        setValue={(path, value) => setNow((before) => setIn(before, path, value))}
      />
      <button
        type="button"
        onClick={() => {
          setBase(newer)
          setNow(newer)
        }}
      >
        새 버전
      </button>
    </>
  )
}
const open = (from = product(), isNew = false) => renderPage(<Form from={from} isNew={isNew} />)
const names = () => (draft.options as { name: string }[]).map(({ name }) => name)
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const retype = async (label: string, text: string) => {
  await userEvent.clear(field(label))
  await userEvent.type(field(label), text)
}

describe('combinations', () => {
  it('have a value of each criterion, or there are none', () => {
    expect(combinations([['S', 'M'], ['빨강']])).toEqual(['S / 빨강', 'M / 빨강'])
    expect(combinations([['S'], [], ['빨강']])).toEqual([])
    expect(combinations([[], ['빨강']])).toEqual([])
    expect(combinations([])).toEqual([])
  })
})

describe('the editor of options', () => {
  it('names the options after the criteria, which shoppers choose by', async () => {
    open()
    await retype('1번째 기준', '크기')
    expect(names()).toEqual(['크기 / 색', '크기 / 색'])
    expect(await a11yViolations()).toEqual([])
  })

  it('creates combinations once every criterion has a name and values', async () => {
    open()
    await userEvent.click(screen.getByRole('button', { name: '기준 추가' }))
    await userEvent.type(field('3번째 기준의 값'), '유광{Enter}')
    const make = () => screen.getByRole<HTMLButtonElement>('button', { name: /^조합/ })
    expect(make().ariaDisabled).toBe('true')
    expect(screen.getByText('이름을 입력해야 조합을 만들 수 있습니다.')).toBeTruthy()
    await userEvent.type(field('3번째 기준'), '마감')
    await userEvent.click(make())
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '모든 조합이 있습니다' }).ariaDisabled).toBe('true')
    expect((draft.options as { value: string; name: string }[]).slice(2)).toMatchObject([
      { value: 'S / 빨강 / 유광', name: '사이즈 / 색 / 마감' },
      { value: 'M / 빨강 / 유광', name: '사이즈 / 색 / 마감' },
    ])
  })

  it('drops the count of a removed option, which would block saving', async () => {
    open()
    await retype('S / 빨강 재고', '9')
    await retype('M / 빨강 재고', '8')
    await userEvent.click(screen.getByRole('button', { name: 'S / 빨강 삭제' }))
    expect(draft.stock).toEqual([{ _stock: 'o2', quantity: 8, available: 5 }])
    await userEvent.click(screen.getByLabelText('옵션 사용'))
    expect(JSON.stringify(draft.stock)).not.toContain('quantity')
  })

  it('shows at the stock that an order changed it before the count', async () => {
    errors = { 'stock.0.quantity': '그사이 재고가 2개로 바뀌었습니다.' }
    open()
    await retype('M / 빨강 재고', '8')
    expect(field('M / 빨강 재고').getAttribute('aria-invalid')).toBe('true')
    expect(field('S / 빨강 재고').getAttribute('aria-invalid')).toBeNull()
    errors = {}
  })

  it('counts a new product either as a whole or by option', async () => {
    open({ optionsConf: { enabled: false, criteria: ['색'] } }, true)
    await retype('재고', '12')
    expect(draft.stock).toBe(12)
    await userEvent.click(screen.getByLabelText('옵션 사용'))
    expect(draft.stock).toBeUndefined()
    await userEvent.type(field('색의 값'), '빨강{Enter}')
    await userEvent.click(screen.getByRole('button', { name: '조합 1개 만들기' }))
    expect(draft.options).toMatchObject([{ value: '빨강', stock: 0 }])
    await userEvent.click(screen.getByLabelText('옵션 사용'))
    expect(JSON.stringify(draft.options)).not.toContain('stock')
  })

  it('shows the prices of a newly loaded version', async () => {
    open()
    await retype('S / 빨강 추가금액', '3.5')
    expect(draft.options).toMatchObject([{ price: 350 }, { price: 0 }])
    await userEvent.click(screen.getByRole('button', { name: '새 버전' }))
    expect(field('S / 빨강 추가금액').value).toBe('7.00')
    const chips = within(screen.getByText('1번째 기준').closest('div')?.parentElement as HTMLElement)
    expect(chips.queryByText('M')).toBeNull()
  })

  it('gives every option the same price and stock at once, and leaves what is empty', async () => {
    open(
      product({
        options: [
          option('o1', 'S / 빨강', { enabled: false }),
          { ...option('x', 'M / 빨강'), _id: undefined, key: 'new-1' },
        ],
      }),
    )
    const all = within(screen.getByRole('group', { name: '모든 옵션에 채우기' }))
    expect(all.getByRole<HTMLButtonElement>('button', { name: '모두 채우기' }).ariaDisabled).toBe('true')
    await userEvent.type(all.getByLabelText('추가금액'), '2.5')
    await userEvent.type(all.getByLabelText('재고'), '40')
    await userEvent.click(all.getByRole('button', { name: '모두 채우기' }))
    expect(draft.options).toMatchObject([
      { price: 250, enabled: false },
      { price: 250, enabled: true, stock: 40 },
    ])
    // A saved option is counted in its ledger; the new one brings its stock.
    expect((draft.options as Document[])[0]).not.toHaveProperty('stock')
    expect(draft.stock).toEqual([{ _stock: 'o1', quantity: 40, available: 3 }])
    await userEvent.selectOptions(all.getByLabelText('판매'), '판매 안 함')
    await userEvent.click(all.getByRole('button', { name: '모두 채우기' }))
    expect(draft.options).toMatchObject([
      { price: 250, enabled: false },
      { price: 250, enabled: false },
    ])
    expect(await a11yViolations()).toEqual([])
  })

  it('has a code and a picture for each option', async () => {
    open(product({ options: [option('o1', 'S / 빨강', { image: { url: '/files/a.webp', alt: '' } })] }))
    await userEvent.type(field('S / 빨강 옵션 코드'), 'RED-S')
    expect(draft.options).toMatchObject([{ code: 'RED-S' }])
    await userEvent.clear(field('S / 빨강 옵션 코드'))
    expect(draft.options).toMatchObject([{ code: null }])
    const picture = await screen.findByRole('group', { name: 'S / 빨강 이미지' })
    await userEvent.click(within(picture).getByRole('button', { name: /삭제/ }))
    expect(draft.options).toMatchObject([{ image: null }])
  })

  it('formats a price on blur', async () => {
    open()
    await retype('S / 빨강 추가금액', '3.5')
    expect(field('S / 빨강 추가금액').value).toBe('3.5')
    await userEvent.tab()
    expect(field('S / 빨강 추가금액').value).toBe('3.50')
  })
})
