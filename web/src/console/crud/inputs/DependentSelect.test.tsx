// The option of a product in a set: chosen from the product's options, and cleared with another product.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { a11yViolations } from '../../../testing/axe'
import { renderPage } from '../../../testing/render'
import { schemaOf } from '../../../testing/schemas'
import { server, withServer } from '../../../testing/server'
import { product } from '../../products/resource'
import { ResourceForm } from '../ResourceForm'

withServer()

const PARTS = [
  {
    _id: 'p2',
    name: '안장',
    code: 'SE-01',
    options: [
      { _id: 'o1', value: '검정' },
      { _id: 'o2', value: '갈색' },
    ],
  },
  { _id: 'p3', name: '벨', code: 'BE-01', options: [] },
]
beforeEach(() =>
  server.use(
    http.get('*/api/console/shop/products', () =>
      HttpResponse.json({ summary: { totalCount: PARTS.length }, products: PARTS }),
    ),
    http.get('*/api/console/shop/products/:id', ({ params }) =>
      HttpResponse.json({ product: PARTS.find((part) => part._id === params.id) }),
    ),
  ),
)

it('is chosen by its name', async () => {
  const saved = vi.fn(() => Promise.resolve(undefined))
  renderPage(
    <ResourceForm
      kind={schemaOf('product')}
      def={{ ...product, sections: [{ title: '세트 구성', fields: ['bundleds'] }] }}
      document={{ version: 1, bundleds: [{ _product: 'p2', _option: null, quantity: 1 }] }}
      onSave={saved}
    />,
  )
  const part = within(await screen.findByRole('listitem', { name: '세트 구성 1' }))
  await part.findByRole('option', { name: '갈색' })
  const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))
  await userEvent.selectOptions(part.getByLabelText('옵션'), '갈색')
  expect(await a11yViolations()).toEqual([])
  await save()
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1))
  expect(saved).toHaveBeenLastCalledWith({ bundleds: [{ _product: 'p2', _option: 'o2', quantity: 1 }] }, 1)

  await userEvent.type(part.getByRole('combobox', { name: /상품/ }), '벨')
  await userEvent.click(await part.findByRole('option', { name: '벨 · BE-01' }))
  await waitFor(() => expect(part.getByLabelText<HTMLSelectElement>('옵션').disabled).toBe(true))
  await save()
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(2))
  expect(saved).toHaveBeenLastCalledWith({ bundleds: [{ _product: 'p3', quantity: 1 }] }, 1)
})

it("offers the products of the set's seller as parts, and no sets", async () => {
  const asked: string[] = []
  server.use(
    http.get('*/api/console/shop/products', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json({ summary: { totalCount: PARTS.length }, products: PARTS })
    }),
    http.get('*/api/console/shop/sellers/:id', () => HttpResponse.json({ seller: { _id: 's1', name: '한강바이크' } })),
  )
  renderPage(
    <ResourceForm
      kind={schemaOf('product')}
      def={{ ...product, sections: [{ title: '세트 구성', fields: ['_seller', 'bundleds'] }] }}
      document={{ version: 1, _seller: 's1', bundleds: [{ _product: 'p2', _option: null, quantity: 1 }] }}
      onSave={() => Promise.resolve(undefined)}
    />,
  )
  const part = within(await screen.findByRole('listitem', { name: '세트 구성 1' }))
  await userEvent.type(part.getByRole('combobox', { name: /상품/ }), '벨')
  await part.findByRole('option', { name: '벨 · BE-01' })
  expect(new Set(asked.map((search) => new URLSearchParams(search).get('_seller')))).toEqual(new Set(['s1']))
  expect(asked.at(-1)).toContain('type=NORMAL_PRODUCT')
})
