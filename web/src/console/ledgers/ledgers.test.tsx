// A ledger's page: how it was at any event, what differs between two of them, and the books with both sides.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { faults } from '../../testing/axe'
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
  // Answers what was asked: the state is the position, the one change goes from `since` to it.
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
  it('is shown at any event, with what that event changed', async () => {
    const { container } = open()
    await screen.findByText(/up to 99/)
    expect(screen.getByText('to 99').closest('li')?.textContent).toContain('from 5')
    await userEvent.click(screen.getByRole('button', { name: '이전 사건' }))
    await userEvent.click(screen.getByRole('button', { name: '이전 사건' }))
    await screen.findByText(/up to 5/)
    expect(screen.getByText('to 5').closest('li')?.textContent).toContain('from 3')
    expect(await faults(container)).toEqual([])
  })

  it('tells what changed between two chosen events', async () => {
    open('/console/ledgers/money/o1?position=9')
    expect((await screen.findByText('to 9')).closest('li')?.textContent).toContain('from 5')
    await userEvent.selectOptions(screen.getByLabelText('비교할 사건'), '3')
    await screen.findByText(/from 3/)
  })

  it('shows the books as debits and credits, which come to the same', async () => {
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

  it('says of a record what it held and what changed by the names of its fields', async () => {
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

  it('says what the books came to, and what changed, in words and amounts', async () => {
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
    expect(['판촉비 · 플랫폼', '차변 합계', '사건 수'].map(value)).toEqual(['$1.21', '$39.58', '1,200'])
    expect(screen.getByText('결제대행사')).toBeTruthy()
  })
})
