import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { schemaOf } from '../../testing/schemas'
import { bundleFault, SalePrice, StockCell } from './cells'

it.each([
  [129_000, 116_100, 10, '$1,161.00정가 $1,290.00 10%'],
  [129_000, 128_999, 0, '$1,289.99정가 $1,290.00'],
  [129_000, 129_000, 0, '$1,290.00'],
])('a list shows the price %i reduced to %i, and the rate', (price, salePrice, discountRate, said) => {
  const { container } = render(<SalePrice row={{ _id: 'p1', version: 1, price, salePrice, discountRate }} />)
  expect(container.textContent).toBe(said)
})

const FAULT = '판매 중지: 1번째 구성 상품을 확인해 주세요. 다른 판매자의 상품은 세트에 넣을 수 없습니다.'

it.each([
  [{ type: 'NORMAL_PRODUCT', stock: [{ available: 3 }, { available: 4 }] }, '7'],
  [{ type: 'NORMAL_PRODUCT', stock: [{ available: 0 }] }, '품절'],
  [{ type: 'PRODUCT_BUNDLE', stock: [{ available: 0 }], bundleFault: null }, '세트'],
  [{ type: 'PRODUCT_BUNDLE', stock: [], bundleFault: FAULT }, FAULT.replace(': ', '')],
])('a list shows the stock of %o, or why it is not on sale', (row, said) => {
  const { container } = render(<StockCell row={{ _id: 'p1', version: 1, ...row }} />)
  expect(container.textContent).toBe(said)
})

it('a form shows why a set cannot be sold, and nothing for one that can', () => {
  const Edit = bundleFault.component
  const of = (document: Record<string, unknown>) =>
    render(
      <Edit
        schema={schemaOf('product')}
        draft={document}
        document={document}
        isNew={false}
        readOnly={false}
        setValue={() => {}}
        errors={{}}
      />,
    )
  expect(of({ bundleFault: null }).container.textContent).toBe('')
  expect(of({ bundleFault: FAULT }).getByRole('alert').textContent).toContain('다른 판매자의 상품')
})
