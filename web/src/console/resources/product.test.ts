import { expect, it } from 'vitest'
import { product } from './product'

it.each([
  ['NORMAL_PRODUCT', false],
  ['PRODUCT_BUNDLE', true],
  ['VARIETY_BUNDLE', true],
])('a %s is asked for its parts: %s', (type, asked) => {
  const parts = product.sections.find(({ fields }) => fields.includes('bundleds'))
  expect(parts?.when?.({ type })).toBe(asked)
})
