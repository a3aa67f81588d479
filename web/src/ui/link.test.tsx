// Links of the app: clicks they handle, clicks they leave to the browser, and the current page.
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { describe, expect, it } from 'vitest'
import { Link, NavLink } from './Link'

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

function show(links: ReactNode, at = '/') {
  render(
    <MemoryRouter initialEntries={[at]}>
      {links}
      <Address />
    </MemoryRouter>,
  )
}

const address = () => screen.getByRole('status').textContent

describe('a link', () => {
  it('navigates to its page, by pointer and by keyboard', async () => {
    const user = userEvent.setup()
    show(
      <>
        <Link to="/shop/products?page=2">상품</Link>
        <Link to={{ pathname: '/cart', search: '?a=1' }}>장바구니</Link>
      </>,
    )
    const goods = screen.getByRole('link', { name: '상품' })
    expect(goods.getAttribute('href')).toBe('/shop/products?page=2')
    await user.click(goods)
    expect(address()).toBe('/shop/products?page=2')
    await user.tab()
    expect(document.activeElement?.textContent).toBe('장바구니')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/cart?a=1')
  })

  it('leaves clicks that open a new tab to the browser', () => {
    show(
      <>
        <Link to="/a">가</Link>
        <Link to="/b" target="_blank">
          나
        </Link>
      </>,
    )
    // True: the browser's default action was not prevented.
    expect(fireEvent.click(screen.getByRole('link', { name: '가' }), { ctrlKey: true })).toBe(true)
    expect(fireEvent.click(screen.getByRole('link', { name: '나' }))).toBe(true)
    expect(address()).toBe('/')
    expect(fireEvent.click(screen.getByRole('link', { name: '가' }))).toBe(false)
    expect(address()).toBe('/a')
  })

  it('does not navigate if its own handler prevents it', () => {
    show(
      <Link to="/a" onClick={(event) => event.preventDefault()}>
        가
      </Link>,
    )
    fireEvent.click(screen.getByRole('link'))
    expect(address()).toBe('/')
  })
})

describe('a link of a menu', () => {
  const marked = () =>
    screen
      .getAllByRole('link')
      .flatMap((link) => (link.getAttribute('aria-current') === 'page' ? link.textContent : []))
  const links = (
    <>
      <NavLink to="/" end>
        홈
      </NavLink>
      <NavLink to="/mypage">마이페이지</NavLink>
      <NavLink to="/mypage" end>
        대시보드
      </NavLink>
      <NavLink to="/my">다른 곳</NavLink>
    </>
  )

  it.each([
    ['/', ['홈']],
    ['/mypage', ['마이페이지', '대시보드']],
    ['/MyPage?tab=1', ['마이페이지', '대시보드']],
    ['/mypage/orders', ['마이페이지']],
  ])('is current at %s', (at, expected) => {
    show(links, at)
    expect(marked()).toEqual(expected)
  })
})
