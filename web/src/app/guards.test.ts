// Access checks (V152-V154, V225-V227), and that the route table matches the specification's route list.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scope, UserType } from '../api/session'
import { breadcrumbs, breadcrumbsOfPage } from './console/breadcrumbs'
import { consoleMenu } from './console/menu'
import { accessDenial, redirectFor } from './guards'
import { consoleRoutes } from './routes/consoleRoutes'
import { lateRoutes } from './routes/lateRoutes'
import type { AppRoute } from './routes/route'
import { shopRoutes } from './routes/shopRoutes'
import { hasRoute, routeOf } from './routeTable'

const guest = { payload: undefined }
const member = (userType: UserType = 'PERSON', ...scope: Scope[]) => ({ payload: { _user: 'u', userType, scope } })

describe('a guard', () => {
  it('requires a login (V154)', () => {
    const route = { path: '/cart', login: true } as const
    expect(accessDenial(route, guest)).toEqual({
      message: 'Please log in to continue. 로그인이 필요한 서비스입니다.',
      needsLogin: true,
    })
    expect(accessDenial(route, member())).toBeUndefined()
  })
  it('admits a guest who found the order of the address, on pages about an order', () => {
    const route = { path: '/mypage/orders/return-application', login: true, guestOrder: true } as const
    expect(accessDenial(route, guest)).toMatchObject({ needsLogin: true })
    expect(accessDenial(route, { ...guest, isGuestOrder: true })).toBeUndefined()
    expect(accessDenial({ ...route, guestOrder: undefined }, { ...guest, isGuestOrder: true })).toBeDefined()
  })
  it('requires one of the scopes, and a token for it (V152)', () => {
    const route = { path: '/console/users', scope: ['console', 'company'] as const }
    const either = 'Access denied. 운영자 또는 판매자 권한이 필요합니다.'
    expect(accessDenial(route, guest)).toEqual({ message: either, needsLogin: false })
    expect(accessDenial(route, member('PERSON'))).toMatchObject({ message: either })
    expect(accessDenial(route, member('COMPANY', 'company'))).toBeUndefined()
    expect(accessDenial({ ...route, scope: ['console'] }, member('COMPANY', 'company'))).toMatchObject({
      message: 'Access denied. 운영자 권한이 필요합니다.',
    })
  })
  it('requires the kind of member (V153)', () => {
    const route = { path: '/x', userTypes: ['COMPANY'] as const }
    const denied = { message: 'Access denied. 사업자회원만 이용할 수 있습니다.' }
    expect(accessDenial(route, guest)).toMatchObject(denied)
    expect(accessDenial(route, member('PERSON'))).toMatchObject(denied)
    expect(accessDenial(route, member('COMPANY'))).toBeUndefined()
  })
})

describe('the redirect after a denial', () => {
  const login = { message: '', needsLogin: true }
  const denied = { message: '', needsLogin: false }
  it('leads to the login and back (V225)', () =>
    expect(redirectFor(login, '/cart?a=1', '/')).toBe('/login?next=%2Fcart%3Fa%3D1'))
  it('leads to the previous page (V226)', () =>
    expect(redirectFor(denied, '/x', '/shop/products')).toBe('/shop/products'))
  it('leads home without one (V226)', () => expect(redirectFor(denied, '/x', undefined)).toBe('/'))
  it('does not lead to the page just refused', () => expect(redirectFor(denied, '/x', '/x')).toBe('/'))
  it('leads to the root of the console (V227)', () =>
    expect(redirectFor(denied, '/console/users', '/shop')).toBe('/console'))
})

/** Parses `R045 login /cart login - -` into the specification's requirement for a path. */
const asked = new Map(
  readFileSync(join(import.meta.dirname, '../../../docs/spec/routes.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter((cells) => cells.length > 4)
    .map(([, , path = '', guard = '', redirect = '']) => [path, { guard, redirect }]),
)

/** Pages added to the specification's, with their guard: a purchase's order, with its history. */
asked.set('/console/shop/orders/:orderId', { guard: 'console+company', redirect: '-' })

const shapeOf = (path: string): string => path.replace(/:\w+\??/g, ':')
const guardOf = ({ login, scope }: AppRoute): string =>
  [login && 'login', scope && [...scope].sort().reverse().join('+')].filter(Boolean).join('&') || 'none'

describe('the route table', () => {
  const routes = [...shopRoutes, ...lateRoutes, ...consoleRoutes]
  const spec = new Map([...asked].map(([path, wanted]) => [shapeOf(path), wanted]))
  it.each(routes.map((route) => [route.path, route] as const))(
    '%s is in the specification, with its guard',
    (path, route) => {
      const wanted = spec.get(shapeOf(path))
      if (route.notInSpec) return expect(wanted, `${path} is in the list and not ours`).toBeUndefined()
      expect(wanted, `${path} is not in docs/spec/routes.tsv`).toBeDefined()
      expect(guardOf(route)).toBe(wanted?.guard)
      expect(route.redirect ?? '-').toBe(wanted?.redirect)
    },
  )
  it('has each path once, with a page or a redirect', () => {
    const paths = routes.map((route) => route.path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const route of routes) expect(Boolean(route.page) !== Boolean(route.redirect), route.path).toBe(true)
  })
  it('has code for every page', async () => {
    for (const route of routes) {
      const module = await route.page?.()
      if (route.page) expect(module?.Component, route.path).toBeTypeOf('function')
    }
  })
  it('matches routes.json (npm run routes)', () => {
    const exported = JSON.parse(readFileSync(join(import.meta.dirname, '../../routes.json'), 'utf8')) as {
      path: string
      title: string
      guard: object
      redirect: string | null
    }[]
    const told = routes.map(({ path, title, login = false, scope = [], userTypes = [], redirect = null }) => ({
      path,
      title,
      guard: { login, scope, userTypes },
      redirect,
    }))
    expect(exported.map(({ path, title, guard, redirect }) => ({ path, title, guard, redirect }))).toEqual(told)
  })
  it('finds routes, and their breadcrumbs', () => {
    expect(routeOf('/join/form')?.path).toBe('/join/form')
    expect(routeOf('/shop/products/1')?.path).toBe('/shop/products/:productId')
    expect(routeOf('/Login/')?.path).toBe('/login')
    expect(routeOf('/nowhere')).toBeUndefined()
    expect([hasRoute('/shop/best?a=1'), hasRoute('/nowhere')]).toEqual([true, false])
    expect([hasRoute('/console/banners'), hasRoute('/console/nowhere')]).toEqual([true, false])
    expect(breadcrumbs('/join/form').map(({ to }) => to)).toEqual(['/join', '/join/form'])
    const to = (pathname: string, search = '', name?: string, under?: string) =>
      breadcrumbsOfPage({ pathname, search }, { name, under }).map(({ label }) => label)
    expect(to('/console/shop/brands')).toEqual(['관리', '브랜드'])
    expect(to('/console/shop/brands', '?id=b1', '모노')).toEqual(['관리', '브랜드', '모노'])
    expect(to('/console/shop/products/p1', '', '로드 바이크')).toEqual(['관리', '상품', '로드 바이크'])
    expect(to('/console/shop/orders/o1', '', '주문 1')).toEqual(['관리', '주문상품', '주문 1'])
    const ledger = '/console/ledgers/record/b1'
    expect(to(ledger)).toEqual(['관리', '장부'])
    expect(to(ledger, '', '레시피 · 문서 기록', '/console/banners')).toEqual(['관리', '배너', '레시피 · 문서 기록'])
    expect(consoleMenu(['console'])[0]).toMatchObject({ group: '', items: [{ title: '대시보드' }] })
    for (const { items } of consoleMenu([])) expect(items.every((item) => item.scope === undefined)).toBe(true)
  })
})
