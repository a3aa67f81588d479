// Documents that companies uploaded: owner, size, and content, which is never cached.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { beginSession } from '../../api/session'
import type { MemberDocument } from '../../features/documents/api'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as Page } from './index'

withServer()

const row = (more: Partial<MemberDocument>): MemberDocument => ({
  _id: 'd1',
  _user: 'm1',
  companyName: '바람상회',
  nickname: '바람',
  contentType: 'image/webp',
  size: 348_900,
  uploadedAt: '2026-03-01T16:00:00Z',
  ...more,
})
const ROWS = [row({}), row({ _id: 'd2', companyName: null, nickname: '한강', contentType: 'application/pdf' })]

let asked: (string | null)[]
let opened: string[]
let revoked: string[]
let saved: string[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  asked = []
  opened = []
  revoked = []
  saved = []
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => `blob:${opened.push(blob.type)}`,
    revokeObjectURL: (url: string) => revoked.push(url),
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  server.use(
    http.get('*/api/v1/me/documents/:id', ({ request, params }) => {
      asked.push(`${params.id} ${request.headers.get('Authorization')}`)
      const type = params.id === 'd1' ? 'image/webp' : 'application/pdf'
      return new HttpResponse('x', { headers: { 'Content-Type': type, 'Content-Disposition': 'attachment' } })
    }),
  )
  lists(ROWS)
})

function lists(documents: MemberDocument[], totalCount = documents.length) {
  server.use(
    http.get('*/api/console/documents', ({ request }) => {
      asked.push(`${request.headers.get('skip')}+${request.headers.get('limit')}`)
      return HttpResponse.json({ summary: { totalCount }, documents })
    }),
  )
}

const open = (at = '/console/documents') => {
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )
  return screen.findByRole('table', { name: '가입 서류' })
}
const view = async (name: string) =>
  userEvent.click(within(await screen.findByRole('table')).getByRole('button', { name }))

describe('the documents of companies', () => {
  it('are listed in pages, with owner and type', async () => {
    lists(ROWS, 50)
    const lines = within(await open('/console/documents?page=2')).getAllByRole('row')
    expect(
      lines.map((line) =>
        within(line)
          .queryAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      [],
      ['바람상회바람', '사진', '341KB', '2026. 03. 02. 01:00', '보기'],
      ['한강', 'PDF', '341KB', '2026. 03. 02. 01:00', '보기'],
    ])
    expect(asked).toEqual(['20+20'])
    expect(await a11yViolations()).toEqual([])
  })

  it('show a picture only while it is open', async () => {
    await open()
    await view('바람상회 사업자등록증 사본 보기')
    const dialog = within(await screen.findByRole('dialog', { name: '바람상회 사업자등록증 사본' }))
    const picture = await dialog.findByRole('img', { name: '바람상회 사업자등록증 사본' })
    expect(picture.getAttribute('src')).toBe('blob:1')
    expect(asked.at(-1)).toBe('d1 Bearer a')
    const save = dialog.getByRole('link', { name: '다운로드' })
    expect(save.getAttribute('download')).toBe('바람상회_사업자등록증_사본_2026-03-02.webp')
    expect(await a11yViolations()).toEqual([])
    expect(revoked).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '닫기' }))
    expect(screen.queryByRole('img')).toBeNull()
    expect(revoked).toEqual(['blob:1'])
    // and it was not cached
    await view('바람상회 사업자등록증 사본 보기')
    await waitFor(() => expect(asked.filter((one) => one === 'd1 Bearer a')).toHaveLength(2))
  })

  it('offer a PDF as a download', async () => {
    await open()
    await view('한강 사업자등록증 사본 보기')
    await waitFor(() => expect(saved).toEqual(['한강_사업자등록증_사본_2026-03-02.pdf']))
    expect(opened).toEqual(['application/pdf'])
    await waitFor(() => expect(revoked).toEqual(['blob:1']), { timeout: 3000 })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('show why one cannot be opened', async () => {
    server.use(
      http.get('*/api/v1/me/documents/:id', () =>
        HttpResponse.json({ error: { code: 'not_found', message: '찾을 수 없습니다.' } }, { status: 404 }),
      ),
    )
    await open()
    await view('바람상회 사업자등록증 사본 보기')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('찾을 수 없습니다.')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '닫기' }))
    await view('한강 사업자등록증 사본 보기')
    expect(await screen.findByText('찾을 수 없습니다.')).toBeTruthy()
    expect([opened, saved]).toEqual([[], []])
  })

  it('show an explanation when there are none', async () => {
    lists([])
    renderPage(<Page />, '/console/documents')
    expect(await screen.findByText(/사업자회원이 가입하면/)).toBeTruthy()
  })

  it('show why they cannot be listed', async () => {
    server.use(
      http.get('*/api/console/documents', () =>
        HttpResponse.json({ error: { code: 'unavailable', message: '지금은 읽을 수 없습니다.' } }, { status: 503 }),
      ),
    )
    renderPage(<Page />, '/console/documents')
    expect(await screen.findByText('지금은 읽을 수 없습니다.')).toBeTruthy()
  })
})
