// The login page: rules, refusals, demo accounts and the way back.
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { endSession, useSession } from '../../api/session'
import { useCartCount } from '../../features/cart/api'
import { addToGuestCart } from '../../features/cart/guestCart'
import { LoginForm } from '../../features/login/LoginForm'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Login } from './index'

withServer()
beforeEach(() => {
  endSession()
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({ demoAccounts: [{ username: 'shopper1', password: 'demo123!', role: '구매자' }] }),
    ),
    http.get('*/api/auth/refreshToken', ({ request }) =>
      request.headers.get('Authorization') === `Basic ${btoa('shopper1:demo123!')}`
        ? HttpResponse.json({
            refreshToken: 'r',
            accessToken: 'a',
            payload: { _user: 'u', userType: 'PERSON', scope: [] },
          })
        : HttpResponse.json({ error: { code: 'unauthorized', message: 'no' } }, { status: 401 }),
    ),
  )
})

/** As the header does. */
const Count = () => <p>담긴 상품 {useCartCount()}</p>

const submit = () => userEvent.click(screen.getByRole('button', { name: '로그인' }))

describe('/login', () => {
  it('validates both fields before it calls the server', async () => {
    renderPage(<Login />, '/login')
    await submit()
    expect(screen.getByText('아이디를 입력해 주세요.')).toBeTruthy()
    expect(screen.getByText('비밀번호를 입력해 주세요.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it.each([
    ['/login', ['console'], '/console/dashboard'],
    ['/login?next=%2Fconsole', ['company'], '/console/dashboard'],
    ['/login?next=%2Fconsole%2Fshop%2Fproducts', ['console'], '/console/shop/products'],
    ['/login', [], '/'],
  ])('leads from %s with the scopes %j to %s', async (from, scope, to) => {
    server.use(
      http.get('*/api/auth/refreshToken', () =>
        HttpResponse.json({
          refreshToken: 'r',
          accessToken: 'a',
          payload: { _user: 'u', userType: 'OPERATOR', scope },
        }),
      ),
      http.get('*/api/*', () => HttpResponse.json({})),
    )
    const { router } = renderPage(<Login />, from)
    await userEvent.type(screen.getByLabelText('아이디'), 'operator')
    await userEvent.type(screen.getByLabelText('비밀번호'), 'demo123!')
    await submit()
    await waitFor(() => expect(router.state.location.pathname).toBe(to))
  })

  it('links customers who ordered without an account to their order', () => {
    renderPage(<Login />, '/login?next=%2Fmypage%2Forders')
    expect(screen.getByRole('link', { name: '비회원 주문조회' }).getAttribute('href')).toBe('/shop/lookup')
  })

  it("offers a guest on the way to the cart the guest cart, and the member's cart after login (V178)", async () => {
    const offer = () => screen.queryByRole('link', { name: /로그인하지 않고 장바구니 보기/ })
    for (const other of ['/login', '/login?next=%2Fmypage', '/login?next=%2F%2Fcart', '/login?next=%2Fcarts']) {
      renderPage(<Login />, other)
      expect(offer(), other).toBeNull()
      cleanup()
    }
    addToGuestCart({ _product: 'p1', quantity: 1 })
    for (const wanted of ['/login?next=/cart', '/login?next=%2Fcart%3Fa%3D1', '/login?next=%2Fmypage%2Fcart']) {
      renderPage(<Login />, wanted)
      expect(offer()?.getAttribute('href'), wanted).toBe('/shop/cart')
      expect(offer()?.textContent).toContain('1개')
      expect(await a11yViolations()).toEqual([])
      cleanup()
    }
  })

  it('shows that name or password are wrong, and stays on the page', async () => {
    const { router } = renderPage(<Login />, '/login')
    await userEvent.type(screen.getByLabelText('아이디'), 'shopper1')
    await userEvent.type(screen.getByLabelText('비밀번호'), 'wrong')
    await submit()
    expect(await screen.findByText('아이디 또는 비밀번호가 올바르지 않습니다.')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/login')
    expect(useSession.getState().refreshToken).toBeUndefined()
  })

  it('fills in a demo account and continues to the requested page', async () => {
    const { router } = renderPage(<Login />, '/login?next=%2Fcart%3Fa%3D1')
    await userEvent.click(await screen.findByRole('button', { name: /구매자/ }))
    await submit()
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/cart?a=1'))
    expect(useSession.getState().payload?._user).toBe('u')
  })

  it("shows the guest's lines in the member's cart, though the cart was being read before they were added", async () => {
    let reads = 0
    let isPushed = false
    server.use(
      http.get('*/api/v1/me/info', async () => {
        reads += 1
        if (reads > 1) return HttpResponse.json({ user: { cartCount: 1 } })
        await waitFor(() => expect(isPushed).toBe(true))
        await delay(100)
        return HttpResponse.json({ user: { cartCount: 0 } })
      }),
      http.post('*/api/v1/me/carts', async () => {
        await waitFor(() => expect(reads).toBe(1))
        isPushed = true
        return HttpResponse.json({})
      }),
    )
    addToGuestCart({ _product: 'p1', quantity: 1 })
    const page = (
      <>
        <Count />
        <LoginForm known={{ username: 'shopper1', password: 'demo123!' }} onDone={() => undefined} />
      </>
    )
    renderPage(page, '/login')
    await submit()
    expect(await screen.findByText('담긴 상품 1')).toBeTruthy()
  })
})
