// Fields shared by several kinds: a discount shows the resulting price, and the days of a period are shown only if there is one.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { banner } from '../banners/resource'
import { product } from '../products/resource'
import type { Document } from './formState'
import { ResourceForm } from './ResourceForm'
import type { ResourceDef } from './resourceDefinition'
import { discount, SHOWN, showing } from './sharedFields'

withServer()

const open = (def: ResourceDef, document: Document) =>
  renderPage(<ResourceForm kind={def.schema} def={def} document={document} onSave={async () => 2} />)

it("show the shoppers' price, in the currency and rounding step of the shop", async () => {
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: { currency: { code: 'USD', step: 1 } } })))
  open(
    { ...product, sections: [{ title: '가격과 할인', fields: ['price', discount] }] },
    { version: 1, price: 129_000, discount: { unit: 'PERCENT', value: 10, limit: null } },
  )
  const line = await screen.findByText('판매가')
  expect(line.parentElement?.textContent).toBe('판매가$1,161.00 (10% 할인)')
  await userEvent.type(screen.getByLabelText('최대 할인 금액'), '29')
  expect(line.parentElement?.textContent).toBe('판매가$1,261.00 (2% 할인)')
  // Units are displayed beside the input and are not part of its name.
  const price = screen.getByLabelText(/^정가/)
  expect(price.parentElement?.textContent).toBe('$')
  expect(screen.getByLabelText(/^할인값/).parentElement?.textContent).toBe('%')
  expect(await a11yViolations()).toEqual([])
  await userEvent.clear(price)
  expect(screen.queryByText('판매가')).toBeNull()
})

it('explain the meaning of empty values, and the purpose of a code', async () => {
  const fields = ['_shipping', 'flags', 'relatedGroupCode']
  open({ ...product, sections: [{ title: '배송', fields }] }, { version: 1 })
  const flags = screen.getByLabelText<HTMLInputElement>('표시')
  expect(flags.placeholder).toBe('추가')
  expect(screen.getByText('비워 두면 판매자의 기본 배송 그룹을 적용합니다.')).toBeTruthy()
  expect(screen.getByText('상품 카드와 상세에 붙는 표시입니다. 예: NEW, BEST. 쉼표나 Enter로 구분합니다.')).toBeTruthy()
  expect(screen.getByText(/같은 코드를 넣은 상품을/)).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
})

it('show the days of a period only while there is one', async () => {
  open({ ...banner, preview: undefined, sections: [showing] }, { version: 1, ...SHOWN })
  expect(screen.queryByLabelText('노출 시작')).toBeNull()
  await userEvent.click(screen.getByLabelText('기간 설정'))
  expect(screen.getByLabelText('노출 시작')).toBeTruthy()
  expect(screen.getByLabelText('노출 종료')).toBeTruthy()
})
