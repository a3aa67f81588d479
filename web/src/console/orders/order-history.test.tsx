// Time travel on the order page: past states are reached by keyboard and are read-only, and amounts are explained.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderOrderPage, serveOrder, slider } from '../../testing/orderPage'
import { server, withServer } from '../../testing/server'
import { happened } from '../testing'

withServer()

let asked: string[]
beforeEach(() => {
  asked = serveOrder().asked
})

describe('the past', () => {
  it('is reached with the arrow keys, labelled, highlighted, kept in the address and left again', async () => {
    const router = renderOrderPage()
    const knob = await slider()
    expect(knob.getAttribute('aria-valuetext')).toBe('지금')
    knob.focus()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(router.state.location.search).toBe('?position=10')
    expect((await slider()).getAttribute('aria-valuetext')).toMatch(/^주문이 접수되었습니다, 2026\. 03\. 02\./)
    const changing = await screen.findByText('결제대기', { selector: 'mark *' })
    expect(changing.closest('mark')?.textContent).toContain('바뀔 값: 결제완료')
    expect(screen.queryByRole('button', { name: '주문 취소' })).toBeNull()
    expect(asked).toContain('10')
    expect(await a11yViolations()).toEqual([])

    await userEvent.click(screen.getByRole('button', { name: '지금 보기' }))
    expect(router.state.location.search).toBe('')
    expect(await screen.findByRole('button', { name: '주문 취소' })).toBeTruthy()
    expect(document.querySelector('mark')).toBeNull()
  })

  it('opens at the position in the address', async () => {
    renderOrderPage('/console/shop/orders/o1?position=10')
    expect((await slider()).getAttribute('aria-valuenow')).toBe('0')
  })
})

describe('the history', () => {
  it('shows actor, reason and cause', async () => {
    renderOrderPage()
    const title = await screen.findByText('결제가 완료되었습니다')
    const entry = within(title.closest('li') as HTMLElement)
    expect(entry.getByText(/payment-approved \(자동 처리\)/)).toBeTruthy()
    expect(entry.getByText('“승인됨”')).toBeTruthy()
    const cause = entry.getByRole('link', { name: '주문이 접수되었습니다' })
    expect(document.querySelector(cause.getAttribute('href')?.replace(/:/g, '\\:') ?? '')?.textContent).toContain(
      '주문이 접수',
    )
  })
})

describe('an amount', () => {
  const told = (name: string, label: string, contributions: unknown[], value: number) => ({
    amount: { name, label, unit: 'amount', value },
    contributions,
    events: [
      happened(5, 'ProductRevised', '수정했습니다', { stream: { kind: 'product', id: 'p1' } }),
      happened(10, 'OrderPlaced', '주문이 접수되었습니다'),
    ],
  })
  const of: Record<string, unknown> = {
    payable: told(
      'payable',
      '결제금액',
      [
        { text: '상품금액', amount: 150000, result: 150000, event: 10, explains: 'goods' },
        { text: '상품 할인', amount: -21000, result: 129000, event: 10 },
      ],
      129000,
    ),
    goods: told(
      'goods',
      '상품금액',
      [
        { text: '정가 {149999}', amount: 149999, result: 149999, event: 10, source: 5 },
        { text: '단위 미만은 올림', spec: 'V282', amount: 1, result: 150000, event: 10 },
      ],
      150000,
    ),
  }

  beforeEach(() => {
    server.use(
      http.get('*/api/console/explanations/order/o1/:amount', ({ params, request }) => {
        asked.push(`${String(params.amount)}@${new URL(request.url).searchParams.get('position') ?? 'now'}`)
        return HttpResponse.json(of[String(params.amount)] as object)
      }),
    )
  })

  it('opens its explanation, those of its parts, and links to the event', async () => {
    const router = renderOrderPage()
    await slider()
    const amounts = within(screen.getByText('결제금액', { selector: 'dt' }).parentElement as HTMLElement)
    const button = amounts.getByRole('button', { name: /^\$1,290\.00 ?설명$/ })
    button.focus()
    await userEvent.keyboard('{Enter}')
    const layer = within(await screen.findByRole('dialog', { name: '결제금액의 설명' }))
    const lines = () => layer.getAllByRole('listitem').map((line) => line.textContent)
    expect(lines()[0]).toMatch(/\+\$1,500\.00.*\$1,500\.00$/)
    expect(lines()[1]).toMatch(/-\$210\.00.*\$1,290\.00$/)
    expect(await a11yViolations()).toEqual([])

    await userEvent.click(layer.getByRole('button', { name: /^상품금액 ?설명$/ }))
    expect(await layer.findByText('정가 $1,499.99')).toBeTruthy()
    expect(layer.getByText('규칙 V282')).toBeTruthy()
    expect(layer.getByRole('link', { name: '수정했습니다' }).getAttribute('href')).toBe(
      '/console/ledgers/record/p1#event-5',
    )
    await userEvent.click(layer.getByRole('button', { name: '위로 돌아가기' }))
    await layer.findByText('상품 할인')
    await userEvent.click(layer.getAllByRole('link', { name: '주문이 접수되었습니다' })[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement?.id).toBe('event-10'))
    expect(router.state.location.pathname).toBe('/console/shop/orders/o1')
    expect(asked).toEqual(expect.arrayContaining(['payable@now', 'goods@now']))
  })

  it('is explained as of the displayed moment', async () => {
    renderOrderPage('/console/shop/orders/o1?position=10')
    await slider()
    const amounts = within((await screen.findByText('결제금액', { selector: 'dt' })).parentElement as HTMLElement)
    await userEvent.click(amounts.getByRole('button', { name: /^\$1,290\.00 ?설명$/ }))
    await screen.findByRole('dialog', { name: '결제금액의 설명' })
    expect(asked).toContain('payable@10')
  })
})

describe('the ledgers of an order', () => {
  it('are linked: the books always, points if the order used any', async () => {
    renderOrderPage()
    await slider()
    const link = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href')
    expect(link('회계 장부')).toBe('/console/ledgers/money/o1')
    expect(link('적립금 장부')).toBeUndefined()
  })

  it('link to the points it spent', async () => {
    const spent = happened(30, 'PointsSpent', '적립금을 사용했습니다', { stream: { kind: 'points', id: 'm1:points' } })
    server.use(http.get('*/api/console/shop/orders/o1/history', () => HttpResponse.json({ events: [spent] })))
    renderOrderPage()
    const link = await screen.findByRole('link', { name: '적립금 장부' })
    expect(link.getAttribute('href')).toBe('/console/ledgers/points/m1')
  })
})

describe('the causation tree', () => {
  it('is a nested list, each event with a link to its ledger', async () => {
    const given = happened(30, 'StockGivenBack', '재고가 복원되었습니다', { stream: { kind: 'stock', id: 's1' } })
    server.use(
      http.get('*/api/console/history/order/o1/causes', () =>
        HttpResponse.json({
          summary: { totalCount: 1 },
          acts: [
            { depth: 0, events: [10] },
            { depth: 1, cause: 10, events: [20, 30] },
          ],
          events: [
            happened(10, 'OrderPlaced', '주문이 접수되었습니다', { actor: { kind: 'member', id: 'm2', name: '길동' } }),
            happened(20, 'OrderCanceled', '주문이 취소되었습니다', {
              actor: { kind: 'policy', name: 'unpaid-deadline' },
            }),
            given,
          ],
        }),
      ),
    )
    renderOrderPage()
    await userEvent.click(await screen.findByRole('tab', { name: '원인순' }))
    const led = within(await screen.findByRole('list', { name: '“주문이 접수되었습니다” 에 따른 기록' }))
    expect(led.getByText(/입금 기한 \(자동 처리\)/)).toBeTruthy()
    expect(led.getByText('주문이 취소되었습니다')).toBeTruthy()
    expect(led.getByRole('link', { name: '재고' }).getAttribute('href')).toBe('/console/ledgers/stock/s1')
    expect(await a11yViolations()).toEqual([])
  })
})

describe('the causation tree of a command on many orders', () => {
  it('is loaded in pages', async () => {
    server.use(
      http.get('*/api/console/history/order/o1/causes', ({ request }) => {
        const skip = Number(request.headers.get('skip'))
        return HttpResponse.json({
          summary: { totalCount: 25, next: skip === 0 ? 20 : undefined },
          acts: [{ depth: 0, events: [100 - skip] }],
          events: [happened(100 - skip, 'OrderPlaced', skip === 0 ? '최근 주문' : '옛 주문')],
        })
      }),
    )
    renderOrderPage()
    await userEvent.click(await screen.findByRole('tab', { name: '원인순' }))
    expect(await screen.findByText('최근 주문')).toBeTruthy()
    expect(screen.getByText('관련된 주문 25건을 최신순으로 나누어 보여 드립니다.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(await screen.findByText('옛 주문')).toBeTruthy()
    expect(screen.queryByText('최근 주문')).toBeNull()
    expect(await a11yViolations()).toEqual([])
  })
})
