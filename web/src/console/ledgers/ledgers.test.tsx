// A ledger's page: its state at any event, the changes between two of them, and the books with both sides.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { usePageContext } from '../../lib/pageContext'
import { a11yViolations } from '../../testing/axe'
import { server, withServer } from '../../testing/server'
import { happened } from '../testing'
import { Component as Page } from './index'

withServer()

const events = [
  happened(3, 'OrderPlaced', '주문'),
  happened(5, 'OrderPaid', '결제'),
  happened(9, 'PurchaseConfirmed', '구매확정'),
]
const entries = [
  { position: 5, account: 'gateway', amount: 1500 },
  { position: 5, account: 'held:o1', amount: -1200 },
  { position: 5, account: 'fees', amount: -300 },
]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  // Echoes the request: the state is the position, the only change goes from `since` to it.
  server.use(
    http.get('*/api/console/history/money/o1', ({ request }) => {
      const query = new URL(request.url).searchParams
      const position = Number(query.get('position') ?? 99)
      const since = query.get('since')
      return HttpResponse.json({
        name: '260302001',
        events: events.filter((event) => event.position <= position),
        entries: entries.filter((entry) => entry.position <= position),
        state: { folded: `up to ${position}` },
        changes: since === null ? [] : [{ path: 'folded', before: `from ${since}`, after: `to ${position}` }],
      })
    }),
  )
})

const open = (at = '/console/ledgers/money/o1') => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([{ path: '/console/ledgers/:subject/:id', element: <Page /> }], {
    initialEntries: [at],
  })
  return render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

describe('a ledger', () => {
  it('shows its state at any event, with the changes by that event', async () => {
    const { container } = open()
    await screen.findByText(/up to 99/)
    const order = screen.getByRole('link', { name: '‹ 260302001' })
    expect(order.getAttribute('href')).toBe('/console/shop/orders/o1')
    expect(usePageContext.getState().under).toBe('/console/shop/purchases/all')
    expect(screen.getByText('to 99').closest('li')?.textContent).toContain('from 5')
    await userEvent.click(screen.getByRole('button', { name: '이전 기록' }))
    await userEvent.click(screen.getByRole('button', { name: '이전 기록' }))
    await screen.findByText(/up to 5/)
    expect(screen.getByText('to 5').closest('li')?.textContent).toContain('from 3')
    expect(await a11yViolations(container)).toEqual([])
  })

  it('shows the changes between two chosen events', async () => {
    open('/console/ledgers/money/o1?position=9')
    expect((await screen.findByText('to 9')).closest('li')?.textContent).toContain('from 5')
    await userEvent.selectOptions(screen.getByLabelText('비교할 기록'), '3')
    await screen.findByText(/from 3/)
  })

  it('shows the values of each event', async () => {
    const levels = [{ _id: 'l1', code: 'gold', name: '골드' }]
    const story = (subject: string, events: [string, object][]) =>
      http.get(`*/api/console/history/${subject}/x`, () =>
        HttpResponse.json({
          events: events.map(([type, content], i) => ({ ...happened(i + 3, type, type), data: { [type]: content } })),
          entries: [],
          state: {},
          changes: [],
        }),
      )
    server.use(
      http.get('*/api/console/levels', () => HttpResponse.json({ levels, summary: { totalCount: 1 } })),
      http.get('*/api/console/explanations/*', () => HttpResponse.json({ amounts: [] })),
      story('member', [
        [
          'MemberJoined',
          { memberType: 'PERSON', level: 'PERSON', scopes: [], profile: '●●●', terms: [{ code: 'age' }] },
        ],
        ['MembershipLevelAssigned', { code: 'gold' }],
        ['ScopesChanged', { level: 'ADMIN', scopes: ['console', 'company'] }],
      ]),
      story('points', [
        ['PointsGranted', { amount: 1500, reason: '구매 적립', expiresAt: '2027-11-25T00:00:00Z', lot: 'l' }],
        [
          'PointsSpent',
          {
            order: 'o1',
            parts: [
              { lot: 'a', amount: 300 },
              { lot: 'b', amount: 200 },
            ],
          },
        ],
      ]),
    )
    const { unmount, container } = open('/console/ledgers/member/x')
    const facts = async (title: string) => {
      const [event] = await screen.findAllByText(title, { selector: 'ol span' })
      return within(event?.closest('li') as HTMLElement)
        .getAllByRole('listitem')
        .map((one) => one.textContent)
    }
    await screen.findByText(/골드/)
    expect(await facts('MembershipLevelAssigned')).toEqual(['회원 등급: 골드 · gold'])
    expect(await facts('MemberJoined')).toEqual(['권한 등급: 개인회원'])
    expect(await facts('ScopesChanged')).toEqual(['권한 등급: 운영자', '권한: 운영자, 판매자'])
    expect(await a11yViolations(container)).toEqual([])
    unmount()
    open('/console/ledgers/points/x')
    expect(await facts('PointsGranted')).toEqual(['금액: $15.00', '내용: 구매 적립', '소멸 예정: 2027. 11. 25. 09:00'])
    expect(await facts('PointsSpent')).toEqual(['금액: $5.00', '주문: o1'])
  })

  it('shows the books as debits and credits with equal totals', async () => {
    open()
    const table = await screen.findByRole('table', { name: '분개' })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['결제', '결제대행사', '$15.00', ''],
      ['결제', '보관 중인 주문 대금 · o1', '', '$12.00'],
      ['결제', 'fees', '', '$3.00'],
      ['$15.00', '$15.00'],
    ])
    const leadsTo = (name: string) => within(table).getByRole('link', { name }).getAttribute('href')
    expect(leadsTo('결제대행사')).toBe('/console/ledgers/money/gateway')
    expect(leadsTo('보관 중인 주문 대금 · o1')).toBe('/console/ledgers/money/o1')
  })

  it('shows the state and changes of a record with the labels of its fields', async () => {
    const brand = { code: 'hangang', name: '한강바이크', shows: true }
    server.use(
      http.get('*/api/console/history/record/b1', ({ request }) => {
        const position = new URL(request.url).searchParams.get('position')
        return HttpResponse.json({
          events: [happened(3, 'BrandCreated', '등록'), happened(5, 'BrandChanged', '변경')].map((event) => ({
            ...event,
            stream: { kind: 'brand', id: 'b1' },
          })),
          entries: [],
          state: position === '3' ? { ...brand, name: '한강', shows: false } : brand,
          changes: [{ path: 'name', before: '한강', after: '한강바이크' }],
        })
      }),
    )
    open('/console/ledgers/record/b1')
    const [name] = await screen.findAllByText('브랜드명:')
    expect(name?.closest('li')?.textContent).toBe('브랜드명: 한강 → 한강바이크')
    expect(screen.getByText('브랜드명').nextElementSibling?.textContent).toBe('한강바이크')
    expect(screen.getByText('노출', { selector: 'dt' }).nextElementSibling?.textContent).toBe('노출')
  })

  it('of a record links to its edit page, and shows nested values line by line', async () => {
    const slide = {
      _id: 's1',
      image: { url: '/pictures/JU-04.webp', alt: '케일 한 잔' },
      url: '/shop/products',
      isOuterLink: false,
      target: '_self',
      meta: { title: '케일 한 잔 레시피', description: '', tag: '' },
    }
    server.use(
      http.get('*/api/console/history/record/b1', () =>
        HttpResponse.json({
          name: '레시피 MOBILE',
          events: [{ ...happened(3, 'BannerCreated', '등록'), stream: { kind: 'banner', id: 'b1' } }],
          entries: [],
          state: { code: 'RECIPE', name: '레시피 MOBILE', slides: [slide] },
          changes: [],
        }),
      ),
    )
    const { container } = open('/console/ledgers/record/b1')
    const back = await screen.findByRole('link', { name: '‹ 레시피 MOBILE' })
    expect(back.getAttribute('href')).toBe('/console/banners/b1')
    expect(usePageContext.getState()).toMatchObject({ name: '레시피 MOBILE · 문서 기록', under: '/console/banners' })
    await screen.findByText('배너 위치', { selector: 'dt' })
    const value = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling
    expect(value('배너 위치')?.textContent).toBe('레시피')
    const lines = [...(value('슬라이드')?.querySelectorAll('span.block') ?? [])].map((line) => line.textContent)
    expect(lines).toEqual(['이미지: ', '연결 주소: /shop/products', '열리는 곳: 현재 창', '제목: 케일 한 잔 레시피'])
    expect(screen.getByRole('img', { name: '케일 한 잔' })).toBeTruthy()
    // The id is available on demand only.
    expect(screen.getByText('b1').closest('details')?.open).toBe(false)
    expect(await a11yViolations(container)).toEqual([])
  })

  it('of points, coupons and stock formats its state as labels, amounts and dates', async () => {
    const lot = '01a20ad8-0fab-7000-8000-0000000000aa'
    const order = '01a20ad8-0fab-7000-8000-0000000000bb'
    server.use(
      http.get('*/api/console/history/points/m1', () =>
        HttpResponse.json({
          events: [{ ...happened(3, 'PointsGranted', '적립'), stream: { kind: 'points', id: 'm1:points' } }],
          entries: [],
          state: {
            member: null,
            lots: { [lot]: { granted: 500, left: 200, expired: 0, expiresAt: '2027-03-02T00:00:00Z' } },
            spent: { [order]: { [lot]: 300 } },
          },
          changes: [{ path: `lots.${lot}.left`, before: 500, after: 200 }],
        }),
      ),
      http.get('*/api/console/explanations/points/m1', () => HttpResponse.json({ amounts: [] })),
      http.get('*/api/console/history/coupon/i1', () =>
        HttpResponse.json({
          events: [{ ...happened(4, 'CouponIssued', '발급'), stream: { kind: 'issued-coupon', id: 'i1' } }],
          entries: [],
          state: {
            held: { coupon: 'c1', terms: { name: '첫 구매', stage: 'total', unit: 'PERCENT', value: 5, limit: 2000 } },
            usedOn: null,
          },
          changes: [{ path: 'usedOn', before: null, after: order }],
        }),
      ),
      http.get('*/api/console/explanations/coupon/i1', () => HttpResponse.json({ amounts: [] })),
    )
    const value = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
    const { unmount } = open('/console/ledgers/points/m1')
    const change = (await screen.findByText('적립 · …0000aa · 남은 금액:')).closest('li')
    expect(change?.textContent).toBe('적립 · …0000aa · 남은 금액: $5.00 →바뀔 값 $2.00')
    expect(value('적립 · …0000aa · 적립금액')).toBe('$5.00')
    expect(value('적립 · …0000aa · 소멸 예정')).toBe('2027. 03. 02. 09:00')
    expect(value('주문에 사용한 적립금 · …0000bb · …0000aa')).toBe('$3.00')
    unmount()

    open('/console/ledgers/coupon/i1')
    const used = (await screen.findByText('사용한 주문:')).closest('li')
    expect(used?.textContent).toBe('사용한 주문: 없음 →바뀔 값 주문 …0000bb')
    expect(
      within(used as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/console/shop/orders/${order}`)
    expect(['할인값', '최대 할인 금액', '할인 대상'].map(value)).toEqual(['5%', '$20.00', '주문'])
    expect(screen.getByRole('link', { name: '‹ 쿠폰' }).getAttribute('href')).toBe('/console/shop/coupons?id=c1')
  })

  it('shows the command and the actor of an event as text', async () => {
    server.use(
      http.get('*/api/console/history/file/f1', () =>
        HttpResponse.json({
          events: [
            happened(3, 'FileReplaced', '변경', { actor: { kind: 'seller', id: 's1', name: '한강바이크' } }),
          ].map((event) => ({ ...event, stream: { kind: 'file', id: 'f1' } })),
          entries: [],
          state: {},
          changes: [],
        }),
      ),
    )
    open('/console/ledgers/file/f1')
    expect(await screen.findByText('한강바이크 (판매자)')).toBeTruthy()
    const value = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
    expect(['작업 번호', '묶음 번호'].map(value)).toEqual(['c1', 'k1'])
    expect(screen.queryByRole('link', { name: /‹/ })).toBeNull()
  })

  it('shows the balances of the books and their changes as text and amounts', async () => {
    server.use(
      http.get('*/api/console/history/money/gateway', () =>
        HttpResponse.json({
          events,
          entries: [],
          state: { debits: 3958, events: 1200, 'promotion-expense:platform': 121 },
          changes: [{ path: 'points-liability', before: 200, after: -121 }],
        }),
      ),
    )
    open('/console/ledgers/money/gateway')
    const change = (await screen.findByText('적립금 부채:')).closest('li')
    expect(change?.textContent).toBe('적립금 부채: $2.00 →바뀔 값 -$1.21')
    const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent
    expect(['판촉비 · 플랫폼', '차변 합계', '기록 수'].map(value)).toEqual(['$1.21', '$39.58', '1,200'])
    expect(screen.getByText('결제대행사')).toBeTruthy()
    // Not the books of an order.
    expect(screen.queryByRole('link', { name: /^‹/ })).toBeNull()
  })
})
