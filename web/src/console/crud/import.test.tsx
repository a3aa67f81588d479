// Import of records: all errors of a file are shown, one file is previewed at a time, nothing is created twice, and rows that failed
// are reported at the end.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { ImportDialog } from './ImportDialog'

withServer()

/** A call; `sent`: with a file, `after`: the line after which it continues a file sent before. */
type Run = { key: string | null; dry: boolean; sent: boolean; after: string | null }
type Row = { row: number; action: string; name: string; changes?: unknown; errors?: unknown[] }
const runs: Run[] = []
const done = vi.fn()
const closed = vi.fn()

const answer = (rows: Row[], { total = rows.length + 3, next }: { total?: number; next?: number } = {}) => {
  const count = (action: string) => rows.filter((row) => row.action === action).length
  const summary = { rows: rows.length + 3, creates: count('create'), updates: count('update'), unchanged: 3 }
  return HttpResponse.json({ table: 't', total, next, summary: { ...summary, errors: count('error') }, rows })
}
const NEW = { row: 2, action: 'create', name: '새 상품', errors: [] }

/** The server; one `reply` per call, in order. */
const replies = (...reply: (() => Response | Promise<Response>)[]) =>
  server.use(
    http.post('*/api/console/shop/products/import', async ({ request }) => {
      const asked = new URL(request.url).searchParams
      const sent = !asked.has('table')
      runs.push({
        key: request.headers.get('Idempotency-Key'),
        dry: asked.get('dryRun') === 'true',
        sent,
        after: asked.get('after'),
      })
      return (await reply[runs.length - 1]?.()) ?? HttpResponse.error()
    }),
  )

const choose = (name: string) =>
  userEvent.upload(screen.getByLabelText('파일 선택', { selector: 'input' }), new File(['a'], name))
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

beforeEach(() => {
  runs.length = 0
  vi.clearAllMocks()
  renderPage(<ImportDialog kind={schemaOf('product')} onClose={closed} onDone={done} />)
})

describe('a file', () => {
  it('that is refused as a whole shows why, and which column', async () => {
    replies(() =>
      HttpResponse.json(
        {
          error: {
            code: 'invalid',
            message: '입력한 내용을 확인해 주세요.',
            fields: [
              { field: '단가', code: 'unknown_field', message: '알 수 없는 항목입니다.' },
              { field: 'file', code: 'too_many', message: '한 파일에 50,000행까지 가져올 수 있습니다.' },
            ],
          },
        },
        { status: 400 },
      ),
    )
    await choose('a.csv')
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('단가: 알 수 없는 항목입니다.')).toBeTruthy()
    expect(alert.getByText('한 파일에 50,000행까지 가져올 수 있습니다.')).toBeTruthy()
  })

  it('shows its changes as in its cells, and how many rows stay the same', async () => {
    replies(() =>
      answer([
        {
          row: 2,
          action: 'update',
          name: '바람 로드',
          changes: {
            hashtags: { from: '로드, 입문', to: '로드' },
            categories: { from: '', to: 'bicycle-road' },
            shows: { from: 'Y', to: 'N' },
          },
        },
      ]),
    )
    await choose('a.csv')
    expect(await screen.findByText(/전체 4행: 등록 0, 수정 1, 그대로 3, 오류 0/)).toBeTruthy()
    const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
    expect(lines).toEqual(['해시태그: 로드, 입문 → 로드', '카테고리: bicycle-road', '노출: Y → N'])
    expect(await a11yViolations()).toEqual([])
  })

  it.each(['목록.txt', '목록.xls', '목록'])('of a type that cannot be read is not sent: %s', async (name) => {
    replies(() => answer([NEW]))
    const box = screen.getByLabelText('파일 선택', { selector: 'input' })
    await userEvent.setup({ applyAccept: false }).upload(box, new File(['코드\t이름'], name))
    expect((await screen.findByRole('alert')).textContent).toContain('엑셀(xlsx)이나 CSV(csv) 파일만 읽을 수 있습니다.')
    expect(runs).toEqual([])
    await choose('목록.CSV')
    expect(await screen.findByText(/목록\.CSV/)).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is not mixed up with the next one', async () => {
    replies(
      () => answer([NEW]),
      async () => {
        await delay(300)
        return answer([NEW, { ...NEW, row: 3 }])
      },
    )
    await choose('first.csv')
    await screen.findByText(/first\.csv/)
    await choose('second.csv')
    await waitFor(() => expect(runs).toHaveLength(2))
    expect(screen.queryByText('새 상품')).toBeNull()
    expect(button(/반영하기/).ariaDisabled).toBe('true')
    expect(button('파일 선택').ariaDisabled).toBe('true')
    expect(await screen.findByText(/second\.csv/)).toBeTruthy()
    expect(button('2행 반영하기').ariaDisabled).toBe(null)
  })

  it('without a response is sent again as the same command', async () => {
    replies(
      () => answer([NEW]),
      () => HttpResponse.error(),
      () => answer([NEW]),
    )
    await choose('a.csv')
    await userEvent.click(await screen.findByRole('button', { name: '1행 반영하기' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(closed).not.toHaveBeenCalled()
    await userEvent.click(button('1행 반영하기'))
    await waitFor(() => expect(closed).toHaveBeenCalled())
    const [look, first, second] = runs
    expect([look?.dry, first?.dry, second?.dry]).toEqual([true, false, false])
    expect(first?.key).toBeTruthy()
    expect(second?.key).toBe(first?.key)
    expect([look?.sent, first?.sent, second?.sent]).toEqual([true, false, false])
  })

  it('that is long is sent in batches, can be stopped, and continues where it was', async () => {
    const wrong = { field: 'name', code: 'too_short', message: '두 글자 이상 입력해 주세요.' }
    const bad = (row: number): Row => ({ row, action: 'error', name: `나쁜 ${row}`, errors: [wrong] })
    const parts = (row: number) => [bad(row), { ...NEW, row: row + 1 }]
    let release = () => {}
    const held = new Promise<void>((free) => {
      release = free
    })
    replies(
      () => answer(parts(2), { total: 15, next: 6 }),
      () => answer(parts(7), { total: 15, next: 11 }),
      () => answer(parts(12), { total: 15 }),
      () => answer(parts(2), { total: 15, next: 6 }),
      async () => {
        await held
        return answer(parts(7), { total: 15, next: 11 })
      },
      () => answer(parts(12), { total: 15 }),
    )
    await choose('a.csv')
    expect(await screen.findByText(/전체 15행: 등록 3, 수정 0, 그대로 9, 오류 3/)).toBeTruthy()
    await userEvent.click(button('3행 반영하기'))
    expect(await screen.findByText('15행 중 5행을 처리했습니다.')).toBeTruthy()
    expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe('5')
    await userEvent.click(button('여기서 중단'))
    release()
    expect(await screen.findByText('15행 중 10행을 처리했습니다.')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: '이어서 반영하기' }))
    expect(await screen.findByText('3행을 반영했고, 오류가 있는 3행은 반영하지 않았습니다.')).toBeTruthy()
    expect(screen.getAllByText(/^나쁜 /).map((one) => one.textContent)).toEqual(['나쁜 2', '나쁜 7', '나쁜 12'])
    expect(runs.map(({ dry, sent, after }) => [dry, sent, after])).toEqual([
      [true, true, null],
      [true, false, '6'],
      [true, false, '11'],
      [false, false, '0'],
      [false, false, '6'],
      [false, false, '11'],
    ])
    expect(new Set(runs.slice(3).map(({ key }) => key)).size).toBe(3)
    expect(await a11yViolations()).toEqual([])
  })

  it('that is too large is not sent', async () => {
    replies()
    const large = new File(['a'], 'large.csv')
    Object.defineProperty(large, 'size', { value: 21 * 1024 * 1024 })
    expect(screen.getByText(/50,000행, 20MB까지/)).toBeTruthy()
    await userEvent.upload(screen.getByLabelText('파일 선택', { selector: 'input' }), large)
    expect(await screen.findByText(/파일이 너무 큽니다/)).toBeTruthy()
    expect(runs).toEqual([])
  })

  it('reports in the end which of its rows were skipped', async () => {
    const wrong = { field: 'code', code: 'code_taken', message: '이미 쓰는 코드입니다.' }
    replies(
      () => answer([NEW, { ...NEW, row: 3 }]),
      () => answer([NEW, { row: 3, action: 'error', name: '늦은 상품', errors: [wrong] }]),
    )
    await choose('a.csv')
    await userEvent.click(await screen.findByRole('button', { name: '2행 반영하기' }))
    expect(await screen.findByText('1행을 반영했고, 오류가 있는 1행은 반영하지 않았습니다.')).toBeTruthy()
    expect(screen.getByText('상품코드: 이미 쓰는 코드입니다.')).toBeTruthy()
    expect(screen.queryByText('새 상품')).toBeNull()
    const saved: Blob[] = []
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`,
      revokeObjectURL: () => undefined,
    })
    await userEvent.click(button('오류 목록 다운로드'))
    expect(await saved[0]?.text()).toContain('"3","늦은 상품","상품코드: 이미 쓰는 코드입니다."')
    expect(done).toHaveBeenCalledOnce()
    expect(closed).not.toHaveBeenCalled()
    expect(await a11yViolations()).toEqual([])
  })
})
