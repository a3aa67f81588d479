// The list of purchases: a record list over a ledger. Only actions that every selected row allows are offered, each row's result is shown,
// and actions on all matching rows use the list's filters.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { refundPreview } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { fieldOf } from '../crud/schema'
import { recordWords } from '../crud/words'
import { inList } from '../testing'
import { Component as Purchases } from './index'
import { listAt } from './list'
import { commonActions } from './purchaseActions'
import { purchaseWords } from './words'

withServer()

const rows = [
  inList('260302001-1'),
  inList('260302001-2', { nextActions: ['prepare', 'ship'] }),
  inList('260302002-1', { nextActions: ['ship', 'delay'] }),
]
let asked: URL[] = []
let counted: URL[] = []
let sent: { url: string; body: unknown; key: string | null }[] = []
let views: object[] = []
let reckoned: unknown[] = []

/** Two claims of one order. */
const refunds = {
  refunds: [
    { _order: 'o1', purchaseNos: ['260302003-1'], preview: refundPreview() },
    {
      _order: 'o1',
      purchaseNos: ['260302003-3'],
      preview: refundPreview({ refund: { amount: 1250, method: 'card', reason: null } }),
    },
  ],
  sums: { refund: 101250, points: 400 },
  failed: [],
}

const signIn = (scope: 'console' | 'company') =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'OPERATOR', scope: [scope] } })

beforeEach(() => {
  endSession()
  asked = []
  counted = []
  sent = []
  views = []
  reckoned = []
  const counts = { all: 3, nonpayment: 0, payment: 3, delivery: 0, cancel: 0, exchange: 0, return: 0, complete: 0 }
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({ setting: {}, couriers: [{ code: 'kr.cjlogistics', name: 'CJ대한통운' }] }),
    ),
    http.get('*/api/console/shop/purchases/dashboard/all', ({ request }) => {
      counted.push(new URL(request.url))
      return HttpResponse.json({ counts })
    }),
    http.get('*/api/console/shop/purchases', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ summary: { totalCount: 45 }, purchases: rows })
    }),
    http.get('*/api/console/shop/sellers/s1', () => HttpResponse.json({ seller: { _id: 's1', name: '한강바이크' } })),
    http.get('*/api/console/views', () => HttpResponse.json({ views })),
    http.post('*/api/console/views', async ({ request }) => {
      const view = (await request.json()) as object
      views.push({ ...view, _id: 'v1', mine: true })
      return HttpResponse.json({ view })
    }),
    http.put('*/api/console/shop/:what/:no', async ({ request, params }) => {
      sent.push({
        url: new URL(request.url).pathname,
        body: await request.json(),
        key: request.headers.get('Idempotency-Key'),
      })
      return params.no === '260302001-2'
        ? HttpResponse.json(
            { error: { code: 'not_allowed_now', message: '현재 상태에서는 처리할 수 없습니다.' } },
            { status: 409 },
          )
        : HttpResponse.json({ purchase: rows[0] })
    }),
  )
})

const open = async (at = '/console/shop/purchases/payment') => {
  const shown = renderPage(
    <>
      <Purchases />
      <ConfirmHost />
    </>,
    at,
  )
  await screen.findByRole('table')
  return shown
}
const choose = async (...lines: number[]) => {
  const table = within(screen.getByRole('table'))
  for (const line of lines) await userEvent.click(table.getByRole('checkbox', { name: `${line}번째 행 선택` }))
}
const button = (name: string) => screen.queryByRole('button', { name })

describe('the purchases', () => {
  it('request the tab, period, search text and sort of the address', async () => {
    signIn('console')
    const address = 'q=바이크&createdAtFrom=2026-03-01&seller._id=s1&sort=createdAt&page=2'
    await open(`/console/shop/purchases/payment?${address}`)
    const query = Object.fromEntries(asked[0]?.searchParams ?? [])
    const conditions = { searchValue: '바이크', createdAtFrom: '2026-03-01', 'seller._id': 's1' }
    expect(query).toEqual({ tab: 'payment', ...conditions, sort: 'createdAt' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('결제완료')
    expect(await a11yViolations()).toEqual([])
  })

  it("are counted on the tabs with the list's filters, which stay from tab to tab", async () => {
    signIn('console')
    const conditions = { searchValue: '바이크', createdAtFrom: '2026-03-01', 'seller._id': 's1' }
    const { router } = await open(
      '/console/shop/purchases/payment?q=바이크&createdAtFrom=2026-03-01&seller._id=s1&sort=createdAt&page=2',
    )
    expect(counted.map((url) => Object.fromEntries(url.searchParams))).toEqual([conditions])
    const tabs = within(screen.getByRole('navigation', { name: '주문상품' }))
    await userEvent.click(await tabs.findByRole('link', { name: '배송 0' }))
    const { pathname, search } = router.state.location
    expect(pathname).toBe('/console/shop/purchases/delivery')
    const kept = { q: '바이크', createdAtFrom: '2026-03-01', 'seller._id': 's1', sort: 'createdAt' }
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual(kept)
  })

  it('show when their claim was requested, and its progress', async () => {
    signIn('console')
    const claim = {
      _id: 'k1',
      kind: 'RETURN' as const,
      reason: '다른 상품이 왔어요',
      forStaff: false,
      rejection: null,
      fault: 'SELLER' as const,
      feeDue: false,
    }
    const claimTimes = {
      requestedAt: '2026-11-20T01:00:00Z',
      pickedUpAt: '2026-11-21T02:00:00Z',
      inspectedAt: '2026-11-22T03:00:00Z',
    }
    const purchases = [inList('260302001-1', { claim, claimTimes }), inList('260302001-2')]
    server.use(
      http.get('*/api/console/shop/purchases', () => HttpResponse.json({ summary: { totalCount: 2 }, purchases })),
    )
    await open('/console/shop/purchases/return')
    const [claimed, other] = within(screen.getByRole('table')).getAllByRole('row').slice(1)
    expect(claimed?.textContent).toContain('신청 2026. 11. 20. 10:00 · 상품 확인 2026. 11. 22. 12:00')
    expect(other?.textContent).not.toContain('신청')
  })

  it('of a seller are requested without a seller filter', async () => {
    signIn('company')
    await open('/console/shop/purchases/payment?seller._id=another')
    expect(asked[0]?.searchParams.has('seller._id')).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: '조건' }))
    expect(await screen.findByLabelText('택배사')).toBeTruthy()
    expect(screen.queryByLabelText('판매자')).toBeNull()
  })

  it('offer only actions that every selected row allows', async () => {
    await open()
    await choose(1)
    expect(button('준비 처리')).toBeTruthy()
    expect(button('송장 등록')).toBeNull()
    await choose(2)
    expect(button('준비 처리')).toBeTruthy()
    await choose(3)
    expect(button('준비 처리')).toBeNull()
    expect(screen.getByText('선택한 주문에 함께 처리할 수 있는 작업이 없습니다.')).toBeTruthy()
  })

  it('show the result of each row, and keep the refused ones selected', async () => {
    await open()
    await choose(1, 2)
    await userEvent.click(screen.getByRole('button', { name: '준비 처리' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('1건 완료, 1건 거절')).toBeTruthy()
    expect(dialog.getByText('거절: 현재 상태에서는 처리할 수 없습니다.')).toBeTruthy()
    expect(sent.map((one) => one.url)).toEqual([
      '/api/console/shop/purchases/260302001-1',
      '/api/console/shop/purchases/260302001-2',
    ])
    expect(sent[0]?.body).toEqual({ orderStatus: 'ORDER_CONFIRM' })
    expect(new Set(sent.map((one) => one.key)).size).toBe(2)
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getAllByRole('button', { name: '닫기' })[0] as HTMLElement)
    expect(screen.getByText('1개 선택')).toBeTruthy()
  })

  it('are refunded together: each refund and the total are shown first, and a refusal shows why', async () => {
    const asking = { nextActions: ['approveCancel', 'rejectCancel'] as const }
    const claims = ['260302003-1', '260302003-3'].map((no) => inList(no, { nextActions: [...asking.nextActions] }))
    server.use(
      http.get('*/api/console/shop/purchases', () =>
        HttpResponse.json({ summary: { totalCount: 2 }, purchases: claims }),
      ),
      http.post('*/api/console/shop/purchases/cancel/preview', async ({ request }) => {
        reckoned.push(await request.json())
        return HttpResponse.json(refunds)
      }),
    )
    await open('/console/shop/purchases/cancel')
    await choose(1, 2)
    await userEvent.click(screen.getByRole('button', { name: purchaseWords.action.approveCancel }))
    const approving = within(await screen.findByRole('dialog'))
    const confirm = await approving.findByRole('button', { name: '$1,012.50 환불하고 취소 승인' })
    expect(reckoned).toEqual([{ action: 'approveCancel', purchaseNos: ['260302003-1', '260302003-3'] }])
    expect(approving.getAllByRole('heading', { name: '환불 예정 내역' })).toHaveLength(2)
    expect(approving.getByText('환불 합계').parentElement?.textContent).toContain('$1,012.50')
    expect(sent).toEqual([])
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(confirm)
    await waitFor(() => expect(sent).toHaveLength(2))
    const granted = (refund: number) => ({ claimStatus: 'CANCEL_COMPLETED', shown: { refund, points: 200 } })
    expect(sent.map(({ body }) => body)).toEqual([granted(100000), granted(1250)])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // The worker pays the refund a moment later.
    claims[0] = inList('260302003-1', { nextActions: [...asking.nextActions], statusText: '취소완료' })
    expect(await screen.findAllByText('취소완료', undefined, { timeout: 4000 })).not.toEqual([])
    await choose(1, 2)
    await userEvent.click(screen.getByRole('button', { name: purchaseWords.action.rejectCancel }))
    const rejecting = within(await screen.findByRole('dialog'))
    await userEvent.type(rejecting.getByRole('textbox'), '이미 보냈습니다')
    await userEvent.click(rejecting.getByRole('button', { name: purchaseWords.action.rejectCancel }))
    await waitFor(() => expect(sent).toHaveLength(4))
    expect(sent[3]?.body).toEqual({ claimStatus: 'CANCEL_REJECTED', reason: '이미 보냈습니다' })
  })

  it('of one row need confirmation too, and purchases without a possible refund are listed', async () => {
    server.use(
      http.get('*/api/console/shop/purchases', () =>
        HttpResponse.json({
          summary: { totalCount: 1 },
          purchases: [inList('260302003-1', { nextActions: ['approveCancel'] })],
        }),
      ),
      http.post('*/api/console/shop/purchases/cancel/preview', () =>
        HttpResponse.json({
          refunds: [],
          sums: { refund: 0, points: 0 },
          failed: [{ id: '260302003-1', code: 'claim_of_several_sellers', message: '운영자가 처리합니다.' }],
        }),
      ),
    )
    await open('/console/shop/purchases/cancel')
    await choose(1)
    await userEvent.click(screen.getByRole('button', { name: purchaseWords.action.approveCancel }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('운영자가 처리합니다.')).toBeTruthy()
    expect(
      dialog.getByRole<HTMLButtonElement>('button', { name: purchaseWords.action.approveCancel }).ariaDisabled,
    ).toBe('true')
    expect(sent).toEqual([])
  })

  it('require courier and number before a parcel is sent', async () => {
    await open()
    await choose(3)
    await userEvent.click(screen.getByRole('button', { name: '송장 등록' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ship = dialog.getByRole('button', { name: '송장 등록' })
    await userEvent.click(ship)
    expect(dialog.getByText('송장번호를 입력해 주세요.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText(/택배사/))
    expect(sent).toEqual([])
    await dialog.findByRole('option', { name: 'CJ대한통운' })
    await userEvent.selectOptions(dialog.getByLabelText(/택배사/), 'kr.cjlogistics')
    await userEvent.type(dialog.getByLabelText(/송장번호/), '123456789')
    await userEvent.click(ship)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      url: '/api/console/shop/invoices/260302002-1',
      body: { courier: 'kr.cjlogistics', invoiceNo: '123456789' },
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('invoice numbers of several parcels', () => {
  const rows = ['260302001-1', '260302001-2', '260302002-1'].map((no) => inList(no, { nextActions: ['ship'] }))
  const numbers = ['111111111111', '222222222222', '333333333333']
  let tried: [string, unknown][] = []
  beforeEach(() => {
    tried = []
    server.use(
      http.get('*/api/console/shop/purchases', () =>
        HttpResponse.json({ summary: { totalCount: 3 }, purchases: rows }),
      ),
      http.put('*/api/console/shop/invoices/:no', async ({ request, params }) => {
        const body = (await request.json()) as { invoiceNo: string }
        tried.push([String(params.no), body.invoiceNo])
        if (body.invoiceNo !== numbers[1]) return HttpResponse.json({})
        const fields = [{ field: 'invoiceNo', code: 'taken', message: '이미 등록된 송장번호입니다.' }]
        const error = { code: 'invalid', message: '입력한 내용을 확인해 주세요.', fields }
        return HttpResponse.json({ error }, { status: 400 })
      }),
    )
  })
  const boxes = () => within(screen.getByRole('dialog')).getAllByLabelText<HTMLInputElement>(/송장번호/)
  const openAll = async () => {
    await open()
    await choose(1, 2, 3)
    await userEvent.click(screen.getByRole('button', { name: '송장 등록' }))
    await screen.findByRole('option', { name: 'CJ대한통운' })
    await userEvent.selectOptions(screen.getByLabelText(/택배사/), 'kr.cjlogistics')
  }
  const send = () => within(screen.getByRole('dialog')).getByRole('button', { name: '송장 등록' })

  it('are entered row by row with a barcode reader, which ends each with Enter', async () => {
    await openAll()
    await userEvent.click(boxes()[0] as HTMLElement)
    await userEvent.keyboard(numbers.map((no) => `${no}{Enter}`).join(''))
    expect(boxes().map(({ value }) => value)).toEqual(numbers)
    // The last Enter moves to the button, and sends nothing yet.
    expect(tried).toEqual([])
    expect(document.activeElement).toBe(send())
  })

  it('are kept when one is refused, whose row shows why; the others are not sent again', async () => {
    await openAll()
    for (const [i, no] of numbers.entries()) await userEvent.type(boxes()[i] as HTMLElement, no)
    await userEvent.click(send())
    expect(await screen.findByText('이미 등록된 송장번호입니다.')).toBeTruthy()
    expect(screen.getByText('2건 완료, 1건 거절')).toBeTruthy()
    const [refused] = boxes()
    expect(boxes()).toHaveLength(1)
    expect(refused?.labels?.[0]?.textContent).toContain('260302001-2')
    expect(refused?.value).toBe(numbers[1])
    expect(refused?.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(refused)
    expect(await a11yViolations()).toEqual([])
    await userEvent.clear(refused as HTMLElement)
    await userEvent.type(refused as HTMLElement, '444444444444')
    await userEvent.click(send())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(tried.slice(3)).toEqual([['260302001-2', '444444444444']])
  })

  it('are not lost by accident: Esc asks', async () => {
    await openAll()
    await userEvent.type(boxes()[0] as HTMLElement, numbers[0] ?? '')
    await userEvent.keyboard('{Escape}')
    const question = await screen.findByRole('alertdialog', { name: recordWords.leave })
    await userEvent.click(within(question).getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(boxes()[0]?.value).toBe(numbers[0])
  })
})

it('a reason is entered once: refused rows are retried with it', async () => {
  const asking = inList('260302003-1', { nextActions: ['rejectCancel'] })
  let refuses = true
  server.use(
    http.get('*/api/console/shop/purchases', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, purchases: [asking] }),
    ),
    http.put('*/api/console/shop/purchases/:no', () =>
      refuses
        ? HttpResponse.json({ error: { code: 'conflict', message: '잠시 뒤에 다시 시도해 주세요.' } }, { status: 409 })
        : HttpResponse.json({}),
    ),
  )
  await open('/console/shop/purchases/cancel')
  await choose(1)
  await userEvent.click(screen.getByRole('button', { name: purchaseWords.action.rejectCancel }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox'), '이미 보냈습니다')
  await userEvent.click(dialog.getByRole('button', { name: purchaseWords.action.rejectCancel }))
  expect(await dialog.findByText(/잠시 뒤에 다시 시도해 주세요/)).toBeTruthy()
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox').value).toBe('이미 보냈습니다')
  refuses = false
  await userEvent.click(dialog.getByRole('button', { name: purchaseWords.action.rejectCancel }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

describe('the purchases as a record list', () => {
  it('use only fields the server has', () => {
    const { columns, optionalColumns = [], periodFilter, sort } = listAt('all')
    const kind = schemaOf('purchase')
    expect([...columns, ...optionalColumns].filter((name) => !fieldOf(kind, name))).toEqual([])
    expect(kind.filters.map((filter) => filter.name)).toContain(periodFilter)
    expect(kind.sorts).toContain(sort?.id)
  })

  it('have the chosen page size and columns, separately for each tab', async () => {
    const { router, unmount } = await open()
    await userEvent.selectOptions(screen.getByLabelText('페이지당'), '50')
    await waitFor(() => expect(router.state.location.search).toBe('?size=50'))
    await userEvent.click(screen.getByRole('button', { name: '열 선택' }))
    await userEvent.click(screen.getByLabelText('송장번호'))
    const headed = () => within(screen.getByRole('table')).queryByRole('columnheader', { name: '송장번호' })
    expect(headed()).toBeTruthy()
    unmount()
    const again = await open()
    expect(headed()).toBeTruthy()
    again.unmount()
    await open('/console/shop/purchases/delivery')
    expect(headed()).toBeNull()
  })

  it('save their filters under a name, separately for each tab', async () => {
    const { router } = await open('/console/shop/purchases/payment?q=바이크&createdAtFrom=2026-03-01')
    await userEvent.click(await screen.findByRole('button', { name: '지금 조건 저장' }))
    await userEvent.type(await screen.findByLabelText(/보기 이름/), '급한 것')
    await userEvent.click(screen.getByRole('button', { name: '저장' }))
    const tab = await screen.findByRole('button', { name: '급한 것' })
    expect(views).toMatchObject([{ page: 'purchase/payment', name: '급한 것', shared: false }])
    await userEvent.click(screen.getByRole('button', { name: '전체' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
    await userEvent.click(tab)
    await waitFor(() => expect(router.state.location.search).toContain('createdAtFrom=2026-03-01'))
  })

  it('are filtered by a period with one click', async () => {
    const { router } = await open()
    await userEvent.click(screen.getByRole('radio', { name: '최근 7일' }))
    await waitFor(() => expect(asked.at(-1)?.searchParams.get('createdAtFrom')).toMatch(/^\d{4}-\d\d-\d\d$/))
    await userEvent.click(screen.getByRole('radio', { name: '전체 기간' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('are exported with the filters of the list', async () => {
    const queries: URLSearchParams[] = []
    server.use(
      http.get('*/api/console/shop/purchases/export', ({ request }) => {
        queries.push(new URL(request.url).searchParams)
        return new HttpResponse('x', { headers: { 'Content-Disposition': 'attachment; filename="purchases.xlsx"' } })
      }),
    )
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined })
    await open('/console/shop/purchases/payment?q=바이크&createdAtFrom=2026-03-01&page=2&size=50')
    await userEvent.click(screen.getByRole('button', { name: '엑셀 다운로드' }))
    await waitFor(() => expect(queries).toHaveLength(1))
    expect(Object.fromEntries(queries[0] ?? [])).toEqual({
      tab: 'payment',
      searchValue: '바이크',
      createdAtFrom: '2026-03-01',
      sort: '-createdAt',
      format: 'xlsx',
    })
  })
})

describe('all matching purchases', () => {
  const parts = [
    { done: ['260302001-1'], failed: [], next: '260302001-1' },
    {
      done: ['260302001-2'],
      failed: [{ id: '260302002-1', code: 'not_allowed_now', message: '현재 상태에서는 처리할 수 없습니다.' }],
      next: null,
    },
  ]
  let bodies: unknown[] = []
  let keys: (string | null)[] = []
  beforeEach(() => {
    bodies = []
    keys = []
    server.use(
      http.post('*/api/console/shop/purchases/bulk', async ({ request }) => {
        bodies.push(await request.json())
        keys.push(request.headers.get('Idempotency-Key'))
        return HttpResponse.json(parts[bodies.length - 1])
      }),
    )
  })
  const chooseAll = async () => {
    await userEvent.click(within(screen.getByRole('table')).getByLabelText('이 페이지 모두 선택'))
    await userEvent.click(screen.getByRole('button', { name: '조건에 맞는 45건 모두 선택' }))
  }

  it('offer actions that some rows allow and that need no parameters per row', async () => {
    await open()
    await choose(1, 2, 3)
    expect(button('준비 처리')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '조건에 맞는 45건 모두 선택' }))
    expect(button('준비 처리')).toBeTruthy()
    expect(button('배송 지연')).toBeTruthy()
    expect(button('배송완료')).toBeNull()
    expect(button('송장 등록')).toBeNull()
  })

  it('are processed in batches with the filters of the list, and refusals are shown', async () => {
    await open('/console/shop/purchases/payment?q=바이크&createdAtFrom=2026-03-01')
    await chooseAll()
    await userEvent.click(screen.getByRole('button', { name: '준비 처리' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/조건에 맞는 45건을 한 건씩 처리합니다/)).toBeTruthy()
    expect(bodies).toEqual([])
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '준비 처리' }))
    expect(await dialog.findByText('2건 완료, 1건 거절')).toBeTruthy()
    expect(dialog.getByText('260302002-1')).toBeTruthy()
    expect(dialog.getByText('거절: 현재 상태에서는 처리할 수 없습니다.')).toBeTruthy()
    expect(dialog.queryByText('260302001-1')).toBeNull()
    const all = {
      fields: { orderStatus: 'ORDER_CONFIRM' },
      matching: { searchValue: '바이크', filters: { tab: 'payment', createdAtFrom: '2026-03-01' } },
    }
    expect(bodies).toEqual([all, { ...all, after: '260302001-1' }])
    expect(new Set(keys).size).toBe(2)
    expect(sent).toEqual([])
    await userEvent.click(dialog.getAllByRole('button', { name: '닫기' })[0] as HTMLElement)
    expect(screen.queryByText(/개 선택/)).toBeNull()
  })

  it('show their progress when the server becomes unreachable', async () => {
    server.use(
      http.post('*/api/console/shop/purchases/bulk', async ({ request }) => {
        bodies.push(await request.json())
        return bodies.length === 1
          ? HttpResponse.json(parts[0])
          : HttpResponse.json({ error: { code: 'internal', message: '잠시 후 다시 시도해 주세요.' } }, { status: 500 })
      }),
    )
    await open()
    await chooseAll()
    await userEvent.click(screen.getByRole('button', { name: '준비 처리' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: '준비 처리' }))
    expect((await dialog.findByRole('alert')).textContent).toBe('잠시 후 다시 시도해 주세요.')
    expect(dialog.getByText('1건 완료')).toBeTruthy()
    await userEvent.click(dialog.getAllByRole('button', { name: '닫기' })[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('3개 선택')).toBeTruthy()
  })
})

describe('the common actions of rows', () => {
  it('are none for no rows', () => expect(commonActions([], ['prepare'])).toEqual([]))
})
