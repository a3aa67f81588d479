// Products in the console: parts by type, defaults of a new one, and the seller.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { possibleColumns } from '../crud/columns'
import { ResourcePage } from '../crud/ResourcePage'
import { listOf } from '../crud/resourceDefinition'
import { schemaForScopes } from '../crud/schema'
import { product } from './resource'

withServer()

it.each([
  ['NORMAL_PRODUCT', false],
  ['PRODUCT_BUNDLE', true],
  ['VARIETY_BUNDLE', true],
])('a %s has parts in its form: %s', (type, asked) => {
  const parts = product.sections.find(({ fields }) => fields.includes('bundleds'))
  expect(parts?.when?.({ type })).toBe(asked)
})

describe('the seller of a product', () => {
  it.each([
    ['staff, who can narrow the list by it', ['console'], true],
    ['no seller: all of theirs are', ['company'], false],
  ])('is shown to %s', (_, scopes, told) => {
    const kind = schemaForScopes(schemaOf('product'), scopes)
    expect(possibleColumns(listOf(product), kind).includes('_seller')).toBe(told)
    expect(kind.filters.some(({ name }) => name === '_seller')).toBe(told)
  })
})

it('a new product is ordinary and hidden by default', async () => {
  const made: unknown[] = []
  server.use(
    http.post('*/api/console/shop/products', async ({ request }) => {
      made.push(await request.json())
      return HttpResponse.json({ product: { _id: 'p9', version: 1 } }, { status: 201 })
    }),
    http.get('*/api/console/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
  )
  // a seller's own: the form has no seller field
  useSession.setState({ payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] } })
  renderPage(<ResourcePage def={product} />, '/console/shop/products/create')
  await userEvent.type(await screen.findByLabelText(/^상품명/), '종이 학')
  await userEvent.type(screen.getByLabelText(/^상품코드/), 'CRANE')
  await userEvent.type(screen.getByLabelText(/^정가/), '12')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(made).toHaveLength(1))
  expect(made[0]).toMatchObject({ type: 'NORMAL_PRODUCT', shows: false, name: '종이 학' })
})
