// What waits: the dashboard begins with it, and the menu has its numbers.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { ConsoleLayout } from '../../app/console/ConsoleLayout'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { countsOfMenu, type Waiting } from './items'
import { WaitingWork } from './WaitingWork'

withServer()

const none = { orders: 0, quantity: 0, sales: 0, canceled: 0 }
const CALM: Waiting = {
  claims: { cancel: 0, exchange: 0, return: 0 },
  parcels: { new: 0, preparing: 0, late: 0, dueToday: 0 },
  stock: { out: 0, low: 0 },
  answers: { inquires: 0, questions: null, inquiries: null, contacts: null },
  refunds: null,
  givenUpMessages: null,
  today: none,
  yesterday: none,
}
const BUSY: Waiting = {
  ...CALM,
  claims: { cancel: 2, exchange: 0, return: 1 },
  parcels: { new: 4, preparing: 3, late: 1, dueToday: 2 },
  stock: { out: 2, low: 5 },
  answers: { inquires: 6, questions: 7, inquiries: 0, contacts: 8 },
  refunds: { due: 9, unknown: 0, refused: 1 },
  givenUpMessages: 3,
  today: { ...none, orders: 3, sales: 120000 },
  yesterday: { ...none, orders: 5, sales: 90000 },
}

let reads = 0
const answers = (waiting: Waiting) =>
  server.use(
    http.get('*/api/console/analytics/waiting', () => {
      reads += 1
      return HttpResponse.json(waiting)
    }),
  )

beforeEach(() => {
  reads = 0
  server.use(http.get('*/api/*', () => HttpResponse.json({ user: { notiCount: 0 }, alarms: [] })))
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
})
afterEach(() => useSession.setState({ payload: undefined }))

it('is shown with the lists that have as many rows, the most urgent first', async () => {
  answers(BUSY)
  const { container } = renderPage(<WaitingWork />, '/console/dashboard')
  const links = await screen.findAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['발송 기한이 지난 주문1건', '/console/shop/dispatch/late'],
    ['거절된 환불1건', '/console/shop/refunds?state=refused'],
    ['취소 신청2건', '/console/shop/purchases/cancel?pending=true'],
    ['반품 신청1건', '/console/shop/purchases/return?pending=true'],
    ['준비할 주문4건', '/console/shop/dispatch/new'],
    ['발송할 주문3건', '/console/shop/dispatch/preparing'],
    ['답변할 상품 문의6건', '/console/shop/inquires?state=ANSWER_AWAITING'],
    ['답변할 1:1 문의7건', '/console/center/questions?state=ANSWER_AWAITING'],
    ['답변할 제휴·문의8건', '/console/center/contacts?state=ANSWER_AWAITING'],
    ['돌려줄 환불9건', '/console/shop/refunds'],
    ['품절된 상품2건', '/console/shop/products?shows=true&stock=OUT'],
    ['재고가 얼마 남지 않은 상품5건', '/console/shop/products?shows=true&stock=LOW'],
    ['보내지 못한 메시지3건', '/console/messages?state=GIVEN_UP'],
  ])
  expect(screen.getByText('매출').nextSibling?.textContent).toBe('$1,200.00어제 같은 시각까지 $900.00')
  expect(await a11yViolations(container)).toEqual([])
})

it('says so when nothing waits', async () => {
  answers(CALM)
  renderPage(<WaitingWork />, '/console/dashboard')
  expect(await screen.findByText('기다리는 일이 없습니다')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

it('is counted in the menu, with one call', async () => {
  answers(BUSY)
  renderPage(<ConsoleLayout />, '/console/shop/brands')
  const menu = within(screen.getByRole('navigation', { name: '관리 메뉴' }))
  const entry = (name: string) => menu.getByRole('link', { name }).parentElement?.textContent
  expect(await menu.findAllByText('기다리는 일 3건')).toHaveLength(2)
  expect(entry('주문상품')).toBe('주문상품3기다리는 일 3건')
  expect(entry('발송')).toBe('발송8기다리는 일 8건')
  expect(entry('환불')).toBe('환불10기다리는 일 10건')
  expect(entry('브랜드')).toBe('브랜드')
  // A page opened at once does not read it again.
  await userEvent.click(menu.getByRole('link', { name: '상품' }))
  expect(reads).toBe(1)
})

it('has its number at an entry of the menu', () => {
  expect([...countsOfMenu(BUSY)]).toEqual([
    ['/console/shop/dispatch/new', 8],
    ['/console/shop/refunds', 10],
    ['/console/shop/purchases/all', 3],
    ['/console/shop/inquires', 6],
    ['/console/center/questions', 7],
    ['/console/center/contacts', 8],
    ['/console/shop/products', 2],
    ['/console/messages', 3],
  ])
})
