// The upload of products: nothing is started before all of a file was seen, one file is started once, and an upload tells its progress.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import type { Upload } from './api'
import { Component } from './index'

withServer()

const RUN: Upload = {
  _id: '01900000-0000-7000-8000-000000000001',
  kind: 'product',
  fileName: '신상품.xlsx',
  existing: 'skip',
  state: 'stopped',
  rows: 1_000,
  done: 250,
  creates: 240,
  updates: 0,
  unchanged: 0,
  errors: 10,
  startedAt: '2026-11-27T09:00:00Z',
  changedAt: '2026-11-27T09:00:10Z',
}
let uploads: Upload[] = []
let sent: unknown[] = []
const previews: URLSearchParams[] = []

const part = (after: string | null) => {
  const errors = [
    { field: 'price', code: 'type', message: '금액을 입력해 주세요.' },
    { field: 'options.0.price', code: 'type', message: '‘옵션’ 시트 4행 추가 금액: 금액을 입력해 주세요.' },
  ]
  const rows = [
    { row: 2, action: 'create', name: '사과', errors: [] },
    { row: 3, action: 'error', name: '배', errors },
    { row: 5, sheet: '옵션', action: 'error', errors: [{ field: 'code', code: 'unknown', message: '없습니다.' }] },
  ]
  const summary = { rows: 3, creates: 1, updates: 0, unchanged: 0, errors: 2 }
  return HttpResponse.json({ table: 't', total: 6, next: after ? undefined : 250, summary, rows: after ? [] : rows })
}

beforeEach(() => {
  uploads = []
  sent = []
  previews.length = 0
  server.use(
    http.get('*/api/console/imports', () => HttpResponse.json({ imports: uploads })),
    http.post('*/api/console/imports', async ({ request }) => {
      sent.push(await request.json())
      uploads = [RUN]
      return HttpResponse.json({ import: RUN }, { status: 201 })
    }),
    http.put('*/api/console/imports/:id', async ({ request }) => {
      sent.push(await request.json())
      uploads = [{ ...RUN, state: 'done', done: 1_000, creates: 990 }]
      return HttpResponse.json({ import: uploads[0] })
    }),
    http.post('*/api/console/shop/products/import', ({ request }) => {
      const { searchParams } = new URL(request.url)
      previews.push(searchParams)
      return part(searchParams.get('after'))
    }),
  )
})

const choose = () =>
  userEvent.upload(screen.getByLabelText('파일 선택', { selector: 'input' }), new File(['a'], '신상품.xlsx'))

it('says what to do while nothing was uploaded', async () => {
  const { container } = renderPage(<Component />)
  await screen.findByText('아직 올린 파일이 없습니다.')
  expect(await a11yViolations(container)).toEqual([])
})

it('shows every fault of a file, and starts it once all of it was seen', async () => {
  const { container } = renderPage(<Component />)
  await userEvent.click(screen.getByRole('radio', { name: /건너뛰기/ }))
  await choose()
  await screen.findByText(/전체 6행: 등록 2/)
  expect(previews.map((query) => [query.get('dryRun'), query.get('existing'), query.get('after')])).toEqual([
    ['true', 'skip', null],
    ['true', 'skip', '250'],
  ])
  screen.getByText('옵션: ‘옵션’ 시트 4행 추가 금액: 금액을 입력해 주세요.')
  screen.getByText('정가: 금액을 입력해 주세요.')
  expect(await a11yViolations(container)).toEqual([])
  await userEvent.dblClick(screen.getByRole('button', { name: '2행 업로드하기' }))
  await screen.findByText('신상품.xlsx')
  expect(sent).toEqual([{ kind: 'product', table: 't', fileName: '신상품.xlsx', existing: 'skip' }])
})

it('goes on with an upload that was stopped', async () => {
  uploads = [RUN]
  renderPage(<Component />)
  await screen.findByText('1,000행 중 250행 처리 · 등록 240 · 수정 0 · 그대로 0 · 오류 10')
  await userEvent.click(screen.getByRole('button', { name: '이어서 진행' }))
  await screen.findByText('완료')
  expect(sent).toEqual([{ stopped: false }])
  screen.getByRole('button', { name: '오류 10행 다운로드' })
})

it('does not send a file of a type that cannot be read', async () => {
  renderPage(<Component />)
  const box = screen.getByLabelText('파일 선택', { selector: 'input' })
  await userEvent.setup({ applyAccept: false }).upload(box, new File(['코드\t이름'], '신상품.txt'))
  expect((await screen.findByRole('alert')).textContent).toContain('엑셀(xlsx)이나 CSV(csv) 파일만 읽을 수 있습니다.')
  expect(previews).toEqual([])
})
