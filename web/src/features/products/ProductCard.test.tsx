// Product card, like button and address search.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card } from '../../testing/shop'
import { Toasts } from '../../ui/toast'
import { AddressFields } from '../addresses/AddressFields'
import { LikeButton } from '../likes/LikeButton'
import { ProductCard, ProductGrid } from './ProductCard'

withServer()
let likes: { _id: string; _product: string }[]

beforeEach(() => {
  endSession()
  likes = []
  server.use(
    http.get('*/api/v1/me/likes', () => HttpResponse.json({ summary: { totalCount: likes.length }, likes })),
    http.post('*/api/v1/me/likes', async ({ request }) => {
      const { _product } = (await request.json()) as { _product: string }
      const known = likes.some((one) => one._product === _product)
      likes = known ? likes.filter((one) => one._product !== _product) : [{ _id: 'like1', _product }, ...likes]
      return HttpResponse.json({ like: known ? null : likes[0] })
    }),
  )
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

describe('a like button', () => {
  it('adds a like, and removes it (V120)', async () => {
    logIn()
    renderPage(<LikeButton product={card()} />, '/shop/products')
    const heart = await screen.findByRole('button', { name: '바람 로드 105 찜하기' })
    await userEvent.click(heart)
    const on = await screen.findByRole('button', { name: '바람 로드 105 찜 해제' })
    expect(on.getAttribute('aria-pressed')).toBe('true')
    await waitFor(() => expect(likes).toHaveLength(1))
    await waitFor(async () => {
      await userEvent.click(screen.getByRole('button'))
      expect(likes).toHaveLength(0)
    })
    expect(await screen.findByRole('button', { name: '바람 로드 105 찜하기' })).toBeTruthy()
  })

  it('is on if the server says so, at whatever count, and every button of the product follows a click (V120)', async () => {
    logIn()
    likes = [{ _id: 'like101', _product: 'p1' }]
    const product = card({ meta: { ...card().meta, liked: true } })
    renderPage([1, 2].map((one) => <LikeButton key={one} product={product} />))
    const pressed = () => screen.getAllByRole('button').map((heart) => heart.getAttribute('aria-pressed'))
    expect(pressed()).toEqual(['true', 'true'])
    await userEvent.click(screen.getAllByRole('button')[0] as HTMLElement)
    await waitFor(() => expect(likes).toEqual([]))
    expect(pressed()).toEqual(['false', 'false'])
  })

  it('is rolled back when the server refuses', async () => {
    logIn()
    server.use(http.post('*/api/v1/me/likes', () => HttpResponse.json({}, { status: 409 })))
    renderPage(<LikeButton product={card()} />, '/shop/products')
    await userEvent.click(await screen.findByRole('button', { name: '바람 로드 105 찜하기' }))
    await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('false'))
  })

  it('asks a guest to log in; on a phone it opens the login (V086, V157, V158)', async () => {
    const page = (
      <>
        <LikeButton product={card()} />
        <Toasts />
      </>
    )
    const desk = renderPage(page, '/shop/products')
    await userEvent.click(screen.getByRole('button', { name: '바람 로드 105 찜하기' }))
    expect(await screen.findByText('로그인 후 사용하실 수 있습니다')).toBeTruthy()
    expect(desk.router.state.location.pathname).toBe('/shop/products')
    desk.unmount()
    vi.stubGlobal('matchMedia', () => ({
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    const phone = renderPage(page, '/shop/products')
    await userEvent.click(screen.getByRole('button', { name: '바람 로드 105 찜하기' }))
    await waitFor(() => expect(phone.router.state.location.pathname).toBe('/login'))
    vi.unstubAllGlobals()
  })
})

describe('the toast that asks a guest to log in', () => {
  it('is removed after the login', async () => {
    renderPage(
      <>
        <LikeButton product={card()} />
        <Toasts />
      </>,
      '/shop/products',
    )
    await userEvent.click(await screen.findByRole('button', { name: '바람 로드 105 찜하기' }))
    expect(await screen.findByText('로그인 후 사용하실 수 있습니다')).toBeTruthy()
    logIn()
    await waitFor(() => expect(screen.queryByText('로그인 후 사용하실 수 있습니다')).toBeNull())
  })
})

describe('a product card', () => {
  it('shows picture, name, code and prices (V058-V061)', () => {
    renderPage(<ProductCard product={card()} />)
    expect(screen.getByRole('link', { name: '바람 로드 105' }).getAttribute('href')).toBe('/shop/products/p1')
    expect(screen.getByText('BK-ROAD-01')).toBeTruthy()
    expect(screen.getByText('$1,290.00').closest('s')).not.toBeNull()
    expect(screen.getByText('10%', { exact: false })).toBeTruthy()
    expect(screen.getByText('$1,161.00')).toBeTruthy()
  })
  it('shows that it is sold out (V062)', () => {
    renderPage(<ProductCard product={card({ soldOut: true })} />)
    expect(screen.getByText('Sold Out')).toBeTruthy()
  })
  it('shows its rank, and a crown for the first three (V063, V064)', async () => {
    const products = ['a', 'b', 'c', 'd'].map((_id) => card({ _id, name: _id }))
    renderPage(<ProductGrid products={products} rankFrom={1} />)
    expect(screen.getAllByText('BEST')).toHaveLength(3)
    expect(screen.getAllByText('순위')).toHaveLength(4)
    expect(await a11yViolations()).toEqual([])
  })
})

describe('an address', () => {
  function Form() {
    const [value, setValue] = useState({ postcode: '', address1: '', address2: '' })
    return (
      <form aria-label="주문서" onSubmit={() => expect.unreachable('the form behind the layer was sent')}>
        <AddressFields value={value} onValueChange={(part) => setValue({ ...value, ...part })} errors={{}} />
      </form>
    )
  }
  it("is found in a dialog, and the form's input is kept", async () => {
    server.use(
      http.get('*/api/v1/addresses', ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get('searchValue') === '세종대로 110'
            ? {
                summary: { totalCount: 1 },
                addresses: [{ postcode: '04524', address1: '서울특별시 중구 세종대로 110', lot: '태평로1가' }],
              }
            : { summary: { totalCount: 0 }, addresses: [] },
        ),
      ),
    )
    renderPage(<Form />)
    await userEvent.type(screen.getByRole('textbox', { name: '상세주소' }), '3층')
    await userEvent.click(screen.getByRole('button', { name: '주소 찾기' }))
    const layer = await screen.findByRole('dialog', { name: '주소 찾기' })
    await userEvent.type(within(layer).getByRole('textbox'), '없는길{Enter}')
    expect(await within(layer).findByText('‘없는길’에 맞는 주소가 없습니다')).toBeTruthy()
    await userEvent.clear(within(layer).getByRole('textbox'))
    await userEvent.type(within(layer).getByRole('textbox'), '세종대로 110{Enter}')
    await userEvent.click(await within(layer).findByRole('button', { name: /세종대로 110/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('textbox', { name: /우편번호/ })).toHaveProperty('value', '04524')
    expect(screen.getByRole('textbox', { name: /^주소/ })).toHaveProperty('value', '서울특별시 중구 세종대로 110')
    expect(screen.getByRole('textbox', { name: '상세주소' })).toHaveProperty('value', '3층')
  })
})
