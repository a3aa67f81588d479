// Lists of records: state in the address, selection across pages, undoable deletion, import and export.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { brand } from '../brands/resource'
import { level } from '../levels/resource'
import { reviewDisplaysAt } from '../review-displays/resource'
import { Bulk } from './Bulk'
import { ResourceList } from './ResourceList'

withServer()

const ROWS = Array.from({ length: 45 }, (_, i) => ({
  _id: `b${i}`,
  version: 1,
  name: `브랜드 ${i}`,
  code: `code-${i}`,
  shows: i % 2 === 0,
  index: i,
  updatedAt: '2026-03-02T01:00:00Z',
}))
let asked: URL[] = []
let removed: string[] = []
let bulk: unknown[] = []
let views: Record<string, unknown>[] = []

beforeEach(() => {
  asked = []
  removed = []
  bulk = []
  views = []
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
  server.use(
    http.get('*/api/console/shop/brands', ({ request }) => {
      const url = new URL(request.url)
      asked.push(url)
      const skip = Number(request.headers.get('skip'))
      const limit = Number(request.headers.get('limit'))
      const found = ROWS.filter(
        (row) => !removed.includes(row._id) && row.name.includes(url.searchParams.get('searchValue') ?? ''),
      )
      return HttpResponse.json({ summary: { totalCount: found.length }, brands: found.slice(skip, skip + limit) })
    }),
    http.delete('*/api/console/shop/brands/:id', ({ params }) => {
      removed.push(String(params.id))
      return HttpResponse.json({})
    }),
    http.post('*/api/console/shop/brands/bulk', async ({ request }) => {
      bulk.push(await request.json())
      return HttpResponse.json({ done: ROWS.map((row) => row._id), failed: [], next: null })
    }),
    http.get('*/api/console/shop/categories', () => HttpResponse.json({ summary: { totalCount: 0 }, categories: [] })),
    http.get('*/api/console/views', () => HttpResponse.json({ views })),
    http.post('*/api/console/views', async ({ request }) => {
      const view = (await request.json()) as Record<string, unknown>
      views.push({ ...view, _id: 'v1', mine: true })
      return HttpResponse.json({ view })
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  sonner.dismiss()
  useSession.setState({ payload: undefined, accessToken: undefined })
})

const open = (at = '/console/shop/brands') =>
  renderPage(
    <>
      <ResourceList def={brand} />
      <ConfirmHost />
      <Toasts />
    </>,
    at,
  )
/** The table; jsdom also renders the phone's cards. */
const table = async () => within(await screen.findByRole('table'))

describe('a list', () => {
  it('keeps search, filters, sort, page and size in the address', async () => {
    const { router } = open('/console/shop/brands?q=브랜드&shows=true&sort=-index&page=2&size=20')
    await table()
    const first = asked[0]?.searchParams
    expect(first?.get('searchValue')).toBe('브랜드')
    expect(first?.get('shows')).toBe('true')
    expect(first?.get('sort')).toBe('-index')
    expect(await a11yViolations()).toEqual([])
    await userEvent.selectOptions(screen.getByLabelText('페이지당'), '50')
    await waitFor(() => expect(router.state.location.search).toContain('size=50'))
    expect(router.state.location.search).not.toContain('page=')
  })

  it('shows deleted records, and restores one row, or all that match', async () => {
    const restored: unknown[] = []
    server.use(
      http.get('*/api/console/shop/brands', ({ request }) => {
        const isRemoved = new URL(request.url).searchParams.get('removed') === 'true'
        const rows = isRemoved ? ROWS.slice(0, 21).map((row) => ({ ...row, removed: true, version: 2 })) : []
        return HttpResponse.json({ summary: { totalCount: rows.length }, brands: rows.slice(0, 20) })
      }),
      http.post('*/api/console/shop/brands/:id/restore', async ({ request, params }) => {
        restored.push([params.id, await request.json()])
        return HttpResponse.json({})
      }),
    )
    const { router } = open()
    await userEvent.click(await screen.findByRole('button', { name: '삭제된 항목' }))
    expect(router.state.location.search).toBe('?removed=true')
    const rows = await table()
    await userEvent.click((await rows.findAllByRole('button', { name: '복원' }))[0] as HTMLElement)
    await waitFor(() => expect(restored).toEqual([['b0', { version: 2 }]]))
    await userEvent.click(rows.getByRole('checkbox', { name: /모두/ }))
    expect(screen.queryByRole('button', { name: '선택 삭제' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '조건에 맞는 21건 모두 선택' }))
    await userEvent.click(screen.getByRole('button', { name: '선택 복원' }))
    await waitFor(() => expect(bulk).toEqual([{ action: 'restore', matching: { filters: { removed: 'true' } } }]))
  })

  it('of a position offers another record only while the position has room', async () => {
    const display = reviewDisplaysAt('MAIN')
    let total = 1
    const row = { _id: 'd1', version: 1, name: '먼저 타 본 이야기', code: 'MAIN', shows: true, index: 0, _reviews: [] }
    server.use(
      http.get('*/api/console/main/reviews', ({ request }) => {
        expect(new URL(request.url).searchParams.get('code')).toBe('MAIN')
        return HttpResponse.json({ summary: { totalCount: total }, reviewDisplays: [row].slice(0, total) })
      }),
    )
    const page = <ResourceList def={display} only={{ code: 'MAIN' }} />
    const { unmount } = renderPage(page, '/console/main/review/MAIN')
    await screen.findAllByRole('link', { name: '먼저 타 본 이야기' })
    await waitFor(() => expect(screen.queryByRole('link', { name: '새로 만들기' })).toBeNull())
    unmount()
    total = 0
    renderPage(page, '/console/main/review/MAIN')
    await waitFor(() => expect(screen.getAllByRole('link', { name: '새로 만들기' }).length).toBe(2))
  })

  it('shows a hint when nothing matches', async () => {
    const { router } = open('/console/shop/brands?q=없는것')
    await userEvent.click(await screen.findByRole('button', { name: '조건 초기화' }))
    await table()
    expect(router.state.location.search).toBe('')
  })

  it('falls back to the last page when there are fewer', async () => {
    const { router } = open('/console/shop/brands?page=9')
    await waitFor(() => expect(router.state.location.search).toBe('?page=3'))
  })

  it('is navigated by keyboard', async () => {
    const { router } = open()
    const rows = (await table()).getAllByRole('row').slice(1)
    act(() => rows[0]?.focus())
    await userEvent.keyboard('{ArrowDown} ')
    expect(document.activeElement).toBe(rows[1])
    expect(screen.getByText('1개 선택')).toBeTruthy()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.search).toBe('?id=b1'))
  })

  it('shows the chosen columns, and stores the choice', async () => {
    const { unmount } = open()
    expect((await table()).queryByRole('columnheader', { name: '소개' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '열 선택' }))
    await userEvent.click(screen.getByLabelText('소개'))
    expect((await table()).getByRole('columnheader', { name: '소개' })).toBeTruthy()
    unmount()
    open()
    expect((await table()).getByRole('columnheader', { name: '소개' })).toBeTruthy()
  })

  it('has its save button before a filter is set, which then asks for one', async () => {
    open()
    await table()
    await userEvent.click(screen.getByRole('button', { name: '지금 조건 저장' }))
    expect(await screen.findByText('검색어나 조건을 먼저 정해 주세요.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('navigation', { name: '저장한 보기' })).toBeNull()
  })

  it('saves its filters under a name', async () => {
    const { router } = open('/console/shop/brands?q=브랜드')
    await table()
    await userEvent.click(await screen.findByRole('button', { name: '지금 조건 저장' }))
    await userEvent.type(await screen.findByLabelText(/보기 이름/), '내 브랜드')
    await userEvent.click(screen.getByRole('button', { name: '저장' }))
    const tab = await screen.findByRole('button', { name: '내 브랜드' })
    expect(views[0]).toMatchObject({ page: 'brand', name: '내 브랜드', shared: false })
    await userEvent.click(screen.getByRole('button', { name: '전체' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
    await userEvent.click(tab)
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('q')).toBe('브랜드'))
  })
})

describe('a saved view', () => {
  const view = { _id: 'v9', page: 'brand', name: '숨긴 것', shared: true, mine: true }
  beforeEach(() => {
    views = [{ ...view, query: 'shows=false&sort=-index', columns: ['name', 'desc'] }]
  })
  const heading = async (name: string) => (await table()).queryByRole('columnheader', { name })

  it('is recognised by its filters, in any order', async () => {
    open('/console/shop/brands?sort=-index&shows=false')
    const tab = await screen.findByRole('button', { name: '숨긴 것' })
    expect(tab.getAttribute('aria-current')).toBe('page')
    await userEvent.click(screen.getByRole('button', { name: '지금 조건 저장' }))
    expect(await screen.findByText('이미 ‘숨긴 것’ 보기로 저장한 조건입니다.')).toBeTruthy()
  })

  it("applies its columns while it is selected, and keeps the user's own", async () => {
    open('/console/shop/brands?shows=false&sort=-index')
    await waitFor(async () => expect(await heading('소개')).toBeTruthy())
    await userEvent.click(screen.getByRole('button', { name: '전체' }))
    await waitFor(async () => expect(await heading('소개')).toBeNull())
    expect(await heading('브랜드 코드')).toBeTruthy()
  })

  it('asks for confirmation before it is deleted', async () => {
    open('/console/shop/brands?shows=false&sort=-index')
    await userEvent.click(await screen.findByRole('button', { name: '숨긴 것 보기 삭제' }))
    const asked = await screen.findByRole('alertdialog', { name: '‘숨긴 것’ 보기를 삭제할까요?' })
    await userEvent.click(within(asked).getByRole('button', { name: '아니요' }))
  })

  it('can be shared by staff only', async () => {
    useSession.setState({ payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] } })
    open('/console/shop/brands?q=브랜드')
    await userEvent.click(await screen.findByRole('button', { name: '지금 조건 저장' }))
    expect(await screen.findByLabelText(/보기 이름/)).toBeTruthy()
    expect(screen.queryByLabelText('다른 운영자와 함께 쓰기')).toBeNull()
  })
})

describe('bulk actions', () => {
  it('apply to a selection across pages, and to all that match by their filters', async () => {
    open('/console/shop/brands?q=브랜드')
    await userEvent.click((await table()).getByLabelText('이 페이지 모두 선택'))
    expect(screen.getByText('20개 선택')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '2 페이지' }))
    await screen.findAllByText('브랜드 20')
    await userEvent.click((await table()).getByLabelText('이 페이지 모두 선택'))
    expect(screen.getByText('40개 선택')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '조건에 맞는 45건 모두 선택' }))
    await userEvent.click(screen.getByRole('button', { name: '일괄 변경' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.selectOptions(dialog.getByLabelText('변경할 항목'), 'shows')
    await userEvent.click(dialog.getByLabelText('노출'))
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '변경' }))
    await waitFor(() =>
      expect(bulk).toEqual([
        { action: 'update', fields: { shows: true }, matching: { searchValue: '브랜드', filters: {} } },
      ]),
    )
  })

  it.each([
    ['노출 순서', '1.5', '정수로', brand],
    ['적립률', '150', '100 이하로', level],
    ['적립률', '한 자리', '정수로', level],
  ] as const)('do not set an invalid value: %s %s', async (label, text, why, def) => {
    const { path, many, fields } = def.schema
    const rows = ROWS.slice(0, 3)
    server.use(
      http.get(`*${path}`, () => HttpResponse.json({ summary: { totalCount: rows.length }, [many]: rows })),
      http.post(`*${path}/bulk`, async ({ request }) => {
        bulk.push(await request.json())
        return HttpResponse.json({ done: rows.map((row) => row._id), failed: [], next: null })
      }),
    )
    renderPage(<ResourceList def={def} />, def.page)
    await userEvent.click((await table()).getByLabelText('이 페이지 모두 선택'))
    await userEvent.click(screen.getByRole('button', { name: '일괄 변경' }))
    const dialog = within(await screen.findByRole('dialog'))
    const name = fields.find((field) => field.label === label)?.name ?? ''
    await userEvent.selectOptions(dialog.getByLabelText('변경할 항목'), name)
    const input = dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
    await userEvent.type(input, text)
    await userEvent.click(dialog.getByRole('button', { name: '변경' }))
    expect(dialog.getByRole('alert').textContent).toContain(why)
    expect(input.value).toBe(text)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(bulk).toEqual([])
    await userEvent.clear(input)
    await userEvent.type(input, '15')
    await userEvent.click(dialog.getByRole('button', { name: '변경' }))
    const ids = rows.map((row) => row._id)
    await waitFor(() => expect(bulk).toEqual([{ action: 'update', fields: { [name]: 15 }, ids }]))
  })

  it('on more than one batch are sent, and undone, in as many calls', async () => {
    server.use(
      http.post('*/api/console/shop/brands/bulk', async ({ request }) => {
        const body = (await request.json()) as { ids: string[] }
        bulk.push(body)
        return HttpResponse.json({ done: body.ids, failed: [], next: null })
      }),
    )
    const rows = Array.from({ length: 51 }, (_, i) => ({ _id: `r${i}`, version: 1 }))
    const ids = rows.map((row) => row._id)
    const onDone = vi.fn()
    renderPage(
      <>
        <Bulk kind={brand.schema} chosen={{ rows, ids, count: 51, letGo: vi.fn() }} onDone={onDone} />
        <Toasts />
      </>,
    )
    fireEvent.click(screen.getByRole('button', { name: '선택 삭제' }))
    const parts = (action: string) => [
      { action, ids: ids.slice(0, 50) },
      { action, ids: ids.slice(50) },
    ]
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    await waitFor(() => expect(bulk).toEqual([...parts('delete'), ...parts('restore')]))
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(2))
    expect(removed).toEqual([])
  })

  it('on selected rows run at once, a batch a call, even if the session ends, and can be undone', async () => {
    const sent: { action: string; ids: string[]; by: string | null }[] = []
    useSession.setState({ accessToken: 'token-of-1' })
    server.use(
      http.post('*/api/console/shop/brands/bulk', async ({ request }) => {
        const { action, ids } = (await request.json()) as { action: string; ids: string[] }
        sent.push({ action, ids, by: request.headers.get('Authorization') })
        return HttpResponse.json({ done: ids, failed: [], next: null })
      }),
    )
    open()
    fireEvent.click((await table()).getByLabelText('이 페이지 모두 선택'))
    fireEvent.click(screen.getByRole('button', { name: '선택 삭제' }))
    // The deletion completes even if the user logs out right away.
    useSession.setState({ accessToken: undefined })
    await waitFor(() => expect(sent).toHaveLength(1))
    const ids = ROWS.slice(0, 20).map(({ _id }) => _id)
    expect(sent).toEqual([{ action: 'delete', ids, by: 'Bearer token-of-1' }])
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    await waitFor(() => expect(sent[1]).toMatchObject({ action: 'restore', ids }))
    expect(removed).toEqual([])
  })

  it('on matching rows run in batches, show progress, and can be undone', async () => {
    const parts = [
      { done: ['b0', 'b1'], failed: [], next: 'b1' },
      { done: ['b2'], failed: [{ id: 'b3', code: 'in_use', message: '상품이 있습니다.' }], next: null },
    ]
    server.use(
      http.post('*/api/console/shop/brands/bulk', async ({ request }) => {
        const body = (await request.json()) as { action: string; ids?: string[] }
        bulk.push(body)
        return HttpResponse.json(
          body.action === 'restore' ? { done: body.ids, failed: [], next: null } : parts[bulk.length - 1],
        )
      }),
      http.get('*/api/console/shop/brands/:id', () => HttpResponse.json({ brand: ROWS[3] })),
    )
    open('/console/shop/brands?q=브랜드')
    fireEvent.click((await table()).getByLabelText('이 페이지 모두 선택'))
    fireEvent.click(screen.getByRole('button', { name: '조건에 맞는 45건 모두 선택' }))
    fireEvent.click(screen.getByRole('button', { name: '선택 삭제' }))
    fireEvent.click(await screen.findByRole('button', { name: '삭제' }))
    const refused = within(await screen.findByRole('dialog', { name: '처리하지 못한 항목' }))
    expect(await refused.findByText('브랜드 3')).toBeTruthy()
    const matching = { searchValue: '브랜드', filters: {} }
    expect(bulk).toEqual([
      { action: 'delete', matching },
      { action: 'delete', matching, after: 'b1' },
    ])
    fireEvent.click(refused.getAllByRole('button', { name: '닫기' })[0] as HTMLElement)
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기', hidden: true }))
    await waitFor(() => expect(bulk[2]).toEqual({ action: 'restore', ids: ['b0', 'b1', 'b2'] }))
  })
})

describe('files', () => {
  it('are previewed before the import', async () => {
    const runs: (string | null)[] = []
    server.use(
      http.post('*/api/console/shop/brands/import', ({ request }) => {
        runs.push(new URL(request.url).searchParams.get('dryRun'))
        return HttpResponse.json({
          table: 't',
          total: 2,
          summary: { rows: 2, creates: 1, updates: 0, unchanged: 0, errors: 1 },
          rows: [
            {
              row: 2,
              action: 'create',
              name: '새 브랜드',
              changes: { name: { from: null, to: '새 브랜드' } },
              errors: [],
            },
            {
              row: 3,
              action: 'error',
              name: 'x',
              errors: [{ field: 'name', code: 'too_short', message: '두 글자 이상 입력해 주세요.' }],
            },
          ],
        })
      }),
    )
    open()
    await table()
    await userEvent.click(screen.getByRole('button', { name: '엑셀 업로드' }))
    await userEvent.upload(
      await screen.findByLabelText('파일 선택', { selector: 'input' }),
      new File(['a'], 'b.csv', { type: 'text/csv' }),
    )
    expect(await screen.findByText(/전체 2행: 등록 1, 수정 0, 그대로 0, 오류 1/)).toBeTruthy()
    expect(screen.getByText(/두 글자 이상 입력해 주세요/)).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    expect(runs).toEqual(['true'])
    await userEvent.click(screen.getByRole('button', { name: '1행 반영하기' }))
    await waitFor(() => expect(runs).toEqual(['true', null]))
  })

  it('are exported with the filters of the list', async () => {
    const queries: string[] = []
    server.use(
      http.get('*/api/console/shop/brands/export', ({ request }) => {
        queries.push(new URL(request.url).search)
        return new HttpResponse('x', { headers: { 'Content-Disposition': 'attachment; filename="brands.xlsx"' } })
      }),
    )
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined })
    open('/console/shop/brands?q=브랜드&shows=false')
    await table()
    await userEvent.click(screen.getByRole('button', { name: '엑셀 다운로드' }))
    await waitFor(() => expect(queries).toHaveLength(1))
    const query = new URLSearchParams(queries[0])
    expect([query.get('searchValue'), query.get('shows'), query.get('format')]).toEqual(['브랜드', 'false', 'xlsx'])
  })
})
