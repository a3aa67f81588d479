// The stores: searched by name, nearest first on request, in pages.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { store } from '../../testing/shop'
import { Toasts } from '../../ui/toast'
import { Component as Page } from './index'

withServer()
let asked: string[]
let total: number

beforeEach(() => {
  asked = []
  total = 30
  server.use(
    http.get('*/api/v1/shop/stores', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(`${searchParams} ${request.headers.get('skip')}`)
      const distance = searchParams.has('near') ? 5.6 : undefined
      return HttpResponse.json({ summary: { totalCount: total }, stores: total ? [store({ distance })] : [] })
    }),
  )
})

const open = (at = '/sub/store') =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )

it("shows a store's seller, address and phone number, and links its name to its products (V066, V067)", async () => {
  const { container } = open('/sub/store?page=2')
  const link = await screen.findByRole('link', { name: '한강바이크 여의도점 상품 보기' })
  expect(link.getAttribute('href')).toBe('/shop/products?_seller=seller1')
  expect(asked).toEqual([' 12'])
  expect(screen.getByText('한강바이크')).toBeTruthy()
  expect(screen.getByText('여의동로 330 1층')).toBeTruthy()
  expect(screen.getByRole('link', { name: '02-0000-0101' }).getAttribute('href')).toBe('tel:02-0000-0101')
  expect(screen.getByText('시승')).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
})

it('finds by name, and shows that nothing matches', async () => {
  const { router } = open()
  await userEvent.type(await screen.findByRole('textbox', { name: '매장이나 판매자 이름' }), '한강{Enter}')
  await waitFor(() => expect(router.state.location.search).toBe('?searchValue=%ED%95%9C%EA%B0%95'))
  total = 0
  const again = await screen.findByRole('textbox', { name: '매장이나 판매자 이름' })
  await userEvent.clear(again)
  await userEvent.type(again, '없음{Enter}')
  expect(await screen.findByText('‘없음’에 맞는 매장이 없습니다')).toBeTruthy()
})

it('sorts by distance if the position is shared, and otherwise shows why not (V164, V165, V167)', async () => {
  const why = [{ code: 1 }, { code: 2 }]
  const getCurrentPosition = (done: (at: unknown) => void, fail: (told: unknown) => void) => {
    const refused = why.shift()
    if (refused) fail({ ...refused, PERMISSION_DENIED: 1 })
    else done({ coords: { latitude: 37.52841, longitude: 126.93492 } })
  }
  const browser = (geolocation: unknown) =>
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { geolocation }))
  browser(undefined)
  open()
  const ask = async () => userEvent.click(await screen.findByRole('button', { name: '가까운 순으로' }))
  await ask()
  expect(await screen.findByText('이 브라우저는 GPS를 지원하지 않습니다')).toBeTruthy()
  browser({ getCurrentPosition })
  await ask()
  expect(await screen.findByText('위치 권한을 허용하신뒤 다시 시도 해 주세요.')).toBeTruthy()
  await ask()
  expect(await screen.findByText('위치를 확인할 수 없습니다')).toBeTruthy()
  await ask()
  // the position is rounded to about a kilometre
  await waitFor(() => expect(asked.at(-1)).toBe('near=37.53%2C126.93&sort=distance 0'))
  expect(await screen.findByText('6km')).toBeTruthy()
  vi.unstubAllGlobals()
})

it('shows an error, and loads again', async () => {
  let reads = 0
  server.use(
    http.get('*/api/v1/shop/stores', () =>
      reads++ === 0
        ? HttpResponse.json({}, { status: 500 })
        : HttpResponse.json({ summary: { totalCount: 1 }, stores: [store()] }),
    ),
  )
  open()
  await userEvent.click(await screen.findByRole('button', { name: /다시/ }))
  expect(await screen.findByText('매장 1곳')).toBeTruthy()
})
