import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SalePrice } from './product'

it.each([
  [129_000, 116_100, 10, '$1,161.00정가 $1,290.00 10%'],
  [129_000, 128_999, 0, '$1,289.99정가 $1,290.00'],
  [129_000, 129_000, 0, '$1,290.00'],
])('of %i sold at %i a list says both, and the rate', (price, salePrice, discountRate, said) => {
  const { container } = render(<SalePrice row={{ _id: 'p1', version: 1, price, salePrice, discountRate }} />)
  expect(container.textContent).toBe(said)
})
