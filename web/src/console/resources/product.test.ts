import { describe, expect, it } from 'vitest'
import { possibleColumns } from '../kit/columns'
import { listOf } from '../kit/def'
import { descriptorOf, heldBy } from '../kit/descriptor'
import { product } from './product'

it.each([
  ['NORMAL_PRODUCT', false],
  ['PRODUCT_BUNDLE', true],
  ['VARIETY_BUNDLE', true],
])('a %s is asked for its parts: %s', (type, asked) => {
  const parts = product.sections.find(({ fields }) => fields.includes('bundleds'))
  expect(parts?.when?.({ type })).toBe(asked)
})

it('a new product is an ordinary one until somebody says otherwise', () =>
  expect(product.starts).toMatchObject({ type: 'NORMAL_PRODUCT', shows: false }))

describe('whose a product is', () => {
  it.each([
    ['staff, who can narrow the list by it', ['console'], true],
    ['no seller: all of theirs are', ['company'], false],
  ])('is told to %s', (_, scopes, told) => {
    const kind = heldBy(descriptorOf('product'), scopes)
    expect(possibleColumns(listOf(product), kind).includes('_seller')).toBe(told)
    expect(kind.filters.some(({ name }) => name === '_seller')).toBe(told)
  })
})
