// A product that has options is bought once one was chosen; who buys before is told where the choice is missing. And what the law wants
// said about it.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { endSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { detail } from '../../testing/shop'
import { Component as Product } from './index'

withServer()

const option = { _id: 'mint', enabled: true, soldOut: false, stock: 9, salePrice: 116100, value: '민트', name: '색상' }

beforeEach(() => {
  endSession()
  const product = detail({
    optionsConf: { enabled: true, sort: null, criteria: [] },
    options: [option as ReturnType<typeof detail>['options'][number]],
  })
  const nothing = { summary: { totalCount: 0 }, products: [], reviews: [], inquires: [], brands: [], categories: [] }
  server.use(
    http.get('*/api/v1/shop/products/', () => HttpResponse.json({ product })),
    http.get('*/api/*', () => HttpResponse.json(nothing)),
  )
})

it('says that an option is missing where it is chosen, until one is', async () => {
  renderPage(<Product />)
  await screen.findByRole('heading', { level: 1, name: '바람 로드 105' })
  const [buy] = screen.getAllByRole('button', { name: '바로구매' })
  await userEvent.click(buy as HTMLElement)
  expect(screen.getByRole('alert').textContent).toBe('옵션을 먼저 선택해 주세요.')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '민트' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(within(screen.getByRole('list', { name: '선택한 상품' })).getByText('민트')).toBeTruthy()
})

it('says whom to call when it breaks', async () => {
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: { company: { tel: '02-2001-0000' } } })))
  renderPage(<Product />)
  const row = await screen.findByRole('row', { name: 'A/S 책임자와 전화번호 한강바이크 (고객센터 02-2001-0000)' })
  expect(within(row).getByRole('rowheader')).toBeTruthy()
})

it('leads to the brand only while the shop shows the brand', async () => {
  const serve = (brandName?: string) =>
    server.use(
      http.get('*/api/v1/shop/products/', () =>
        HttpResponse.json({ product: detail({ brand: 'baram', ...(brandName && { brandName }) }) }),
      ),
    )
  serve('바람')
  const { unmount } = renderPage(<Product />)
  expect((await screen.findByRole('link', { name: '바람' })).getAttribute('href')).toBe('/shop/brands/baram')
  unmount()
  serve()
  renderPage(<Product />)
  await screen.findByRole('heading', { level: 1, name: '바람 로드 105' })
  expect(document.querySelector('a[href^="/shop/brands/"]')).toBeNull()
})
