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
import { card, detail } from '../../testing/shop'
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

it('leads to its variations and says what it is made of', async () => {
  const variation = {
    list: ['용량'],
    products: [
      { ...card({ _id: 'p1' }), spec: '200ml' },
      { ...card({ _id: 'p2', soldOut: true }), spec: '1L' },
    ],
  }
  const materials = [{ _id: 'm1', name: '양모', origin: '호주', desc: '부드럽습니다.', image: null }]
  const nutritions = [{ name: '나트륨', amount: '120mg', percent: 6 }]
  const link = 'https://example.com/guide'
  server.use(
    http.get('*/api/v1/shop/products/', () =>
      HttpResponse.json({ product: detail({ variation, materials, nutritions, link }) }),
    ),
  )
  renderPage(<Product />)
  const ways = within(await screen.findByRole('navigation', { name: '용량' }))
  expect(ways.getByRole('link', { name: '200ml' }).getAttribute('aria-current')).toBe('page')
  expect(ways.getByRole('link', { name: '1L 품절' }).getAttribute('href')).toBe('/shop/products/p2')
  expect(await screen.findByText('양모')).toBeTruthy()
  expect(screen.getByRole('row', { name: '나트륨 120mg 6%' })).toBeTruthy()
  const away = screen.getByRole('link', { name: '관련 페이지 보기' })
  expect(away.getAttribute('href')).toBe(link)
  expect(away.getAttribute('rel')).toContain('noopener')
  expect(await a11yViolations()).toEqual([])
})

it('shows the picture of an option in place of its colour', async () => {
  const pictured = { ...option, hexa: '#00ff00', image: { url: '/files/mint.webp', alt: null } }
  server.use(
    http.get('*/api/v1/shop/products/', () =>
      HttpResponse.json({
        product: detail({
          optionsConf: { enabled: true, sort: 'COLOR', criteria: [] },
          options: [pictured as ReturnType<typeof detail>['options'][number]],
        }),
      }),
    ),
  )
  renderPage(<Product />)
  const [choice] = await screen.findAllByRole('button', { name: '민트' })
  expect(choice?.querySelector('img')?.getAttribute('src')).toBe('/files/mint.webp')
  expect(choice?.querySelector('[style]')).toBeNull()
})
