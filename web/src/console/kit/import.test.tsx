// A file of records: what is wrong with it is said in full, one file is looked at at a time, nothing is made twice, and what could not
// be done in the end is told.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { faults } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { descriptorOf } from './descriptor'
import { ImportDialog } from './ImportDialog'

withServer()

type Run = { key: string | null; dry: boolean; name: string }
type Row = { row: number; action: string; name: string; changes?: unknown; errors?: unknown[] }
const runs: Run[] = []
const done = vi.fn()
const closed = vi.fn()

const answer = (rows: Row[]) => {
  const count = (action: string) => rows.filter((row) => row.action === action).length
  const summary = { rows: rows.length + 3, creates: count('create'), updates: count('update'), unchanged: 3 }
  return HttpResponse.json({ summary: { ...summary, errors: count('error') }, rows })
}
const NEW = { row: 2, action: 'create', name: '새 상품', errors: [] }

/** The server; `reply` to each call, in order. */
const replies = (...reply: (() => Response | Promise<Response>)[]) =>
  server.use(
    http.post('*/api/console/shop/products/import', async ({ request }) => {
      const file = (await request.formData()).get('file') as File
      runs.push({
        key: request.headers.get('Idempotency-Key'),
        dry: new URL(request.url).searchParams.get('dryRun') === 'true',
        name: file.name,
      })
      return (await reply[runs.length - 1]?.()) ?? HttpResponse.error()
    }),
  )

const choose = (name: string) =>
  userEvent.upload(screen.getByLabelText('파일 고르기', { selector: 'input' }), new File(['a'], name))
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

beforeEach(() => {
  runs.length = 0
  vi.clearAllMocks()
  renderPage(<ImportDialog kind={descriptorOf('product')} onClose={closed} onDone={done} />)
})

describe('a file', () => {
  it('that is refused as a whole says why, and which column', async () => {
    replies(() =>
      HttpResponse.json(
        {
          error: {
            code: 'invalid',
            message: '입력한 내용을 확인해 주세요.',
            fields: [
              { field: '단가', code: 'unknown_field', message: '알 수 없는 항목입니다.' },
              { field: 'file', code: 'too_many', message: '한 번에 2,000행까지 가져올 수 있습니다.' },
            ],
          },
        },
        { status: 400 },
      ),
    )
    await choose('a.csv')
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('단가: 알 수 없는 항목입니다.')).toBeTruthy()
    expect(alert.getByText('한 번에 2,000행까지 가져올 수 있습니다.')).toBeTruthy()
  })

  it('says what it changes in the words of its cells, and how much stays as it is', async () => {
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
    expect(await screen.findByText(/전체 4줄: 등록 0, 수정 1, 그대로 3, 오류 0/)).toBeTruthy()
    const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
    expect(lines).toEqual(['해시태그: 로드, 입문 → 로드', '카테고리: bicycle-road', '노출: Y → N'])
    expect(await faults()).toEqual([])
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
    expect(button(/반영하기/).disabled).toBe(true)
    expect(button('파일 고르기').disabled).toBe(true)
    expect(await screen.findByText(/second\.csv/)).toBeTruthy()
    expect(button('2줄 반영하기').disabled).toBe(false)
  })

  it('that got no answer is sent again as the same command', async () => {
    replies(
      () => answer([NEW]),
      () => HttpResponse.error(),
      () => answer([NEW]),
    )
    await choose('a.csv')
    await userEvent.click(await screen.findByRole('button', { name: '1줄 반영하기' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(closed).not.toHaveBeenCalled()
    await userEvent.click(button('1줄 반영하기'))
    await waitFor(() => expect(closed).toHaveBeenCalled())
    const [look, first, second] = runs
    expect([look?.dry, first?.dry, second?.dry]).toEqual([true, false, false])
    expect(first?.key).toBeTruthy()
    expect(second?.key).toBe(first?.key)
  })

  it('tells which of its lines were left out in the end', async () => {
    const wrong = { field: 'code', code: 'code_taken', message: '이미 쓰는 코드입니다.' }
    replies(
      () => answer([NEW, { ...NEW, row: 3 }]),
      () => answer([NEW, { row: 3, action: 'error', name: '늦은 상품', errors: [wrong] }]),
    )
    await choose('a.csv')
    await userEvent.click(await screen.findByRole('button', { name: '2줄 반영하기' }))
    expect(await screen.findByText('1줄을 반영했고, 오류가 있는 1줄은 남았습니다.')).toBeTruthy()
    expect(screen.getByText('상품코드: 이미 쓰는 코드입니다.')).toBeTruthy()
    expect(screen.queryByText('새 상품')).toBeNull()
    expect(done).toHaveBeenCalledOnce()
    expect(closed).not.toHaveBeenCalled()
    expect(await faults()).toEqual([])
  })
})
