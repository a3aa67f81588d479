// The coupon's form asks only for rules that apply, tells who would get it before it is saved, copies, and shows what became of it.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import type { CouponReach } from '../benefits/types'
import { Component as Coupons } from './index'

withServer()

type Sent = Record<string, unknown> & { issue?: Record<string, unknown>; usage?: Record<string, unknown> }
const at = { timeout: 90_000 }

const stored = {
  _id: 'c1',
  version: 2,
  name: '생일 쿠폰',
  unit: 'PERCENT',
  value: 10,
  limit: 30_00,
  count: 1,
  _seller: null,
  share: null,
  onDisplay: false,
  onConsole: true,
  issue: {
    type: 'instant',
    event: { type: 'SPECIAL_DATE', code: 'BIRTHDAY' },
    round: { type: 'infinite', includeds: [], excludeds: [2] },
    target: { type: 'USER_LEVELS', _levels: ['gold'], _users: [], userTypes: [] },
    limit: { shop: { count__sum: 100, price__sum: null } },
    isActive: true,
  },
  usage: {
    type: 'total',
    isActive: true,
    combinable: false,
    target: { type: 'ALL' },
    limit: { shop: {}, target: { price__min: null, price__max: null } },
  },
}

const reach: CouponReach = {
  sentence: '골드 회원이 생일에 받아 주문 전체에서 10% 할인, 최대 $30',
  members: 1234,
  byLevel: [{ level: 'gold', members: 1234 }],
  sample: [{ _id: 'm1', name: '하늘이' }],
  lastMonth: { orders: 40, discount: 120_00, sellers: 20_00, shop: 100_00, partial: false, upperBound: true },
}

let asked: Sent[]
let saved: Sent[]
/** The periods the statistics of one were asked for. */
let periods: string[]

const figures = {
  issued: 100,
  used: 25,
  returned: 3,
  expired: 10,
  taken: 2,
  discount: 250_00,
  sellersShare: 50_00,
  shopShare: 200_00,
  revenue: 9_000_00,
}

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  asked = []
  saved = []
  periods = []
  server.use(
    http.get('*/api/console/levels', () =>
      HttpResponse.json({
        summary: { totalCount: 2 },
        levels: [
          { _id: 'l1', code: 'silver', name: '실버' },
          { _id: 'l2', code: 'gold', name: '골드' },
        ],
      }),
    ),
    http.post('*/api/console/shop/coupons/reach', async ({ request }) => {
      const body = (await request.json()) as Sent
      asked.push(body)
      if (body.name === '싫은 이름') {
        const fields = [{ field: 'name', code: 'name', message: '다른 이름을 적어 주세요.' }]
        return HttpResponse.json({ error: { code: 'invalid', message: '확인해 주세요.', fields } }, { status: 400 })
      }
      return HttpResponse.json(reach)
    }),
    http.get('*/api/console/shop/coupons', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, coupons: [{ ...stored, updatedAt: '2026-11-20T00:00:00Z' }] }),
    ),
    http.get('*/api/console/shop/coupons/statistics', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).search === ''
          ? {
              summary: { totalCount: 2 },
              statistics: [
                { _coupon: 'c1', name: '생일 쿠폰', ...figures },
                { _coupon: 'c2', name: '생일 쿠폰', ...figures, issued: 0, used: 0 },
              ],
            }
          : { summary: { totalCount: 0 }, statistics: [] },
      ),
    ),
    http.get('*/api/console/shop/coupons/:id', () => HttpResponse.json({ coupon: stored })),
    http.get('*/api/console/shop/coupons/:id/history', () => HttpResponse.json({ events: [] })),
    http.get('*/api/console/shop/coupons/:id/statistics', ({ request }) => {
      const days = new URL(request.url).search
      periods.push(days)
      const issued = days === '' ? 100 : 4
      const byDay = [{ day: '2026-11-20', issued: 4, used: 2, discount: 12_00 }]
      return HttpResponse.json({ statistics: { ...figures, issued, byDay, _coupon: 'c1', name: '생일 쿠폰' } })
    }),
    http.post('*/api/console/shop/coupons', async ({ request }) => {
      saved.push((await request.json()) as Sent)
      return HttpResponse.json({ coupon: stored }, { status: 201 })
    }),
    http.put('*/api/console/shop/coupons/:id', async ({ request }) => {
      saved.push((await request.json()) as Sent)
      return HttpResponse.json({ coupon: { ...stored, version: 3 } })
    }),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
  )
})

const open = (address: string) =>
  renderPage(
    <>
      <Coupons />
      <ConfirmHost />
    </>,
    `/console/shop/coupons${address}`,
  )
const choose = (label: RegExp, value: string) => userEvent.selectOptions(screen.getByLabelText(label), value)

it('asks only for the rules that apply', at, async () => {
  const { container } = open('?id=new')
  await screen.findByLabelText(/^쿠폰명/)
  for (const label of [/^발급 조건/, /^발급 회차/, /^제외 회차/, /^금액 기준/, /^판매자 부담률/])
    expect(screen.queryByLabelText(label), String(label)).toBeNull()
  expect(await screen.findByText('회원마다 한 번만 받습니다.')).toBeTruthy()
  expect(screen.getByLabelText(/^최대 할인 금액/)).toBeTruthy()
  await choose(/^할인 단위/, 'AMOUNT')
  expect(screen.queryByLabelText(/^최대 할인 금액/)).toBeNull()

  await choose(/^발급 횟수/, 'bounded')
  expect(screen.getByLabelText(/^발급 회차/)).toBeTruthy()
  expect(screen.getByText(/1회부터 빠짐없이/)).toBeTruthy()
  await choose(/^발급 횟수/, 'infinite')
  // One that is downloaded misses no round.
  expect(screen.queryByLabelText(/^제외 회차/)).toBeNull()
  await choose(/^발급 방식/, 'instant')
  expect(screen.getByLabelText(/^제외 회차/)).toBeTruthy()

  await choose(/^발급 대상/, 'USER_LEVELS')
  await userEvent.click(await screen.findByRole('checkbox', { name: '골드' }))
  await choose(/^발급 대상/, 'USER_TYPES')
  expect(screen.queryByRole('checkbox', { name: '골드' })).toBeNull()
  expect(await screen.findByRole('checkbox', { name: '사업자회원' })).toBeTruthy()

  await choose(/^사용 대상/, 'DISPLAYS')
  expect(await screen.findByRole('checkbox', { name: '베스트셀러' })).toBeTruthy()
  await userEvent.type(screen.getByLabelText(/^최소 주문 금액/), '10')
  expect(screen.getByLabelText(/^금액 기준/)).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
})

it('asks which date, which days or which level, as the event needs it', at, async () => {
  server.use(
    http.get('*/api/console/shop/coupons/:id', () =>
      HttpResponse.json({
        coupon: { ...stored, issue: { ...stored.issue, event: { type: 'USER_JOIN', code: null } } },
      }),
    ),
  )
  open('?id=c1')
  const event = await screen.findByLabelText(/^발급 조건/)
  expect(screen.queryByLabelText(/^오른 등급/)).toBeNull()
  await userEvent.selectOptions(event, 'LEVEL_UP')
  await screen.findByRole('option', { name: '골드' })
  await choose(/^오른 등급/, 'gold')

  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(saved.at(-1)?.issue).toMatchObject({ event: { type: 'LEVEL_UP', code: 'gold' } }))
})

it('names days of the shop, of every year and of one, and takes them away again', at, async () => {
  const event = { type: 'SHOP_SPECIFIC_DAY', code: '11-11' }
  server.use(
    http.get('*/api/console/shop/coupons/:id', () =>
      HttpResponse.json({ coupon: { ...stored, issue: { ...stored.issue, event } } }),
    ),
  )
  open('?id=c1')
  expect(await screen.findByText('해마다 11월 11일')).toBeTruthy()
  const day = screen.getByLabelText('날짜')
  expect(screen.getByRole('button', { name: '날짜 추가' })).toHaveProperty('ariaDisabled', 'true')
  fireEvent.change(day, { target: { value: '2026-12-24' } })
  await userEvent.click(screen.getByRole('button', { name: '날짜 추가' }))
  expect(screen.getByText('2026. 12. 24.')).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: '해마다' }))
  fireEvent.change(day, { target: { value: '2026-01-02' } })
  await userEvent.click(screen.getByRole('button', { name: '날짜 추가' }))
  await userEvent.click(screen.getByRole('button', { name: '해마다 11월 11일 빼기' }))
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() =>
    expect(saved.at(-1)?.issue).toMatchObject({ event: { type: 'SHOP_SPECIFIC_DAY', code: '01-02,2026-12-24' } }),
  )
})

it('says what it is and who would get it while it is made, and asks again once it changes', at, async () => {
  open('?id=new')
  const name = await screen.findByLabelText(/^쿠폰명/)
  expect(await screen.findByText(/필요한 항목을 채우면/)).toBeTruthy()
  await userEvent.click(name)
  await userEvent.paste('골드 생일')
  const sentence = await screen.findByText(reach.sentence)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    name: '골드 생일',
    unit: 'PERCENT',
    value: 10,
    issue: { type: 'request', event: null, round: { type: 'single', includeds: [] }, target: { type: 'ALL' } },
  })
  expect(screen.getByText('지금 기준으로 1,234명이 받을 수 있습니다.')).toBeTruthy()
  const levels = within(screen.getByRole('table', { name: '등급별 회원' }))
  expect(await levels.findByRole('row', { name: '골드 1,234명' })).toBeTruthy()
  expect(screen.getByText('예를 들면: 하늘이')).toBeTruthy()
  expect(screen.getByText('할인 금액(최대)').nextSibling?.textContent).toBe('$120.00')
  // What is on show is old from the first letter on.
  fireEvent.change(name, { target: { value: '싫은 이름' } })
  expect(sentence.parentElement?.getAttribute('aria-busy')).toBe('true')
  expect(await screen.findByText(/다른 이름을 적어 주세요/)).toBeTruthy()
  expect(asked).toHaveLength(2)
  expect(saved).toEqual([])
})

it('is copied with its rules, as a new one of another name', at, async () => {
  open('?id=c1')
  await userEvent.click(await screen.findByRole('link', { name: '복사해서 새로 만들기' }))
  expect(await screen.findByDisplayValue('생일 쿠폰 사본')).toBeTruthy()
  expect(await screen.findByRole('radio', { name: '생일' })).toHaveProperty('checked', true)
  await userEvent.click(screen.getByRole('radio', { name: '생일 달' }))
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const [copy] = saved
  expect(copy).not.toHaveProperty('_id')
  expect(copy).not.toHaveProperty('version')
  expect(copy).toMatchObject({
    name: '생일 쿠폰 사본',
    issue: { event: { type: 'SPECIAL_DATE', code: 'BIRTHDAY_MONTH' }, round: { excludeds: [2] } },
  })
})

it('tells what became of it, day by day, and who has it', at, async () => {
  const { container } = open('?id=c1')
  const part = within(await screen.findByRole('region', { name: '쿠폰 성과' }))
  const told = async (name: string) => (await part.findByText(name, { selector: 'dt' })).nextSibling?.textContent
  await part.findByText('100장')
  expect(await told('발급')).toBe('100장')
  expect(await told('돌려받음')).toBe('3장')
  expect(await told('사용률')).toBe('22%')
  expect(await told('판매자 부담')).toBe('$50.00')
  expect(await told('사용한 주문의 결제 금액')).toBe('$9,000.00')
  const days = within(await part.findByRole('table', { name: '날짜별 사용' }))
  expect(days.getByRole('row', { name: '11. 20 4장 2장 $12.00' })).toBeTruthy()
  expect(part.getByRole('link', { name: '받은 회원 보기' }).getAttribute('href')).toBe(
    '/console/user-coupons?_coupon=c1',
  )
  expect(part.getByRole('link', { name: '인쇄한 쿠폰 코드 보기' }).getAttribute('href')).toBe(
    '/console/shop/coupon-codes?_coupon=c1',
  )
  expect(part.getByRole('link', { name: /설명 보기/ }).getAttribute('href')).toBe('/console/ledgers/coupon/c1')
  expect(await a11yViolations(container)).toEqual([])
})

it('stands beside the others, also of the same name', at, async () => {
  open('')
  const table = within(await screen.findByRole('table', { name: '쿠폰 비교' }))
  const rows = table.getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    '생일 쿠폰100장25장22%$250.00$50.00$200.00$9,000.00',
    '생일 쿠폰0장0장-$250.00$50.00$200.00$9,000.00',
  ])
  const compared = within(screen.getByRole('heading', { name: '쿠폰 비교' }).closest('section') as HTMLElement)
  await userEvent.click(compared.getByRole('radio', { name: '최근 7일' }))
  expect(await screen.findByText('이 기간에는 발급하거나 사용한 쿠폰이 없습니다.')).toBeTruthy()
})

it('tells what became of it in a period', at, async () => {
  open('?id=c1')
  const part = within(await screen.findByRole('region', { name: '쿠폰 성과' }))
  await part.findByText('100장')
  fireEvent.change(part.getByLabelText('시작일'), { target: { value: '2026-11-01' } })
  expect(await part.findByText('4장', { selector: 'dd' })).toBeTruthy()
  fireEvent.change(part.getByLabelText('종료일'), { target: { value: '2026-11-20' } })
  await waitFor(() => expect(periods).toEqual(['', '?from=2026-11-01', '?from=2026-11-01&to=2026-11-20']))
})

it('tells a seller neither whom it reaches nor who has it', at, async () => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 's', userType: 'COMPANY', scope: ['company'] },
  })
  open('?id=c1')
  const part = within(await screen.findByRole('region', { name: '쿠폰 성과' }))
  await part.findByText('100장')
  expect(part.queryByRole('link')).toBeNull()
  expect(screen.queryByText(reach.sentence)).toBeNull()
  expect(asked).toEqual([])
})
