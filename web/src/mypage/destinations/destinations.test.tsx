// The member's address book: exactly one default, input is not lost by accident, and refusals are visible.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { toast as toaster } from '../../ui/Toaster'
import { Toasts } from '../../ui/toast'
import { Component as Destinations } from './index'

withServer()

const HOME = {
  ...{ _id: 'd1', title: '집', name: '김하늘', phone: '01012345678', isDefault: true },
  ...{ postcode: '07001', address1: '서울시 동작구 상도로 1', address2: '101호' },
}
const WORK = { ...HOME, _id: 'd2', title: '회사', isDefault: false }
let sent: Record<string, unknown>[]

beforeEach(() => {
  sent = []
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { _id: 'u', nickname: '하늘이' } })),
    http.get('*/api/v1/me/destinations', () =>
      HttpResponse.json({ summary: { totalCount: 2 }, destinations: [HOME, WORK] }),
    ),
    http.post('*/api/v1/me/destinations', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      const fields = [{ field: 'title', code: 'too_many', message: '배송지는 50개까지 저장할 수 있습니다.' }]
      return HttpResponse.json({ error: { code: 'not_allowed_now', message: '안 됩니다.', fields } }, { status: 409 })
    }),
  )
})

// Toasts survive the page they are about.
afterEach(() => void toaster.dismiss())

const open = async (button: string, of = 0) => {
  renderPage(
    <>
      <Destinations />
      <ConfirmHost />
    </>,
    '/mypage/destinations',
  )
  await userEvent.click((await screen.findAllByRole('button', { name: button }))[of] as HTMLElement)
  return within(await screen.findByRole('dialog'))
}

describe('my destinations', () => {
  it('have exactly one default, which can be moved but not unset', async () => {
    const form = await open('수정')
    expect(form.queryByLabelText('기본 배송지로 설정')).toBeNull()
    await userEvent.click(form.getByRole('button', { name: '닫기' }))
    await userEvent.click(screen.getAllByRole('button', { name: '수정' })[1] as HTMLElement)
    expect(await screen.findByLabelText('기본 배송지로 설정')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it('close at once without input, otherwise after confirmation', async () => {
    const form = await open('새 배송지')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: '새 배송지' }))
    await userEvent.type(await screen.findByLabelText(/받는 분/), '김')
    await userEvent.keyboard('{Escape}')
    const asked = within(await screen.findByRole('alertdialog', { name: '입력한 내용이 저장되지 않습니다. 닫을까요?' }))
    await userEvent.click(asked.getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>(/받는 분/).value).toBe('김')
    expect(form).toBeTruthy()
  })

  it.each([
    ['the default', 0, HOME, true],
    ['another', 1, WORK, false],
  ])('are deleted at once, and %s is restored as it was', async (_, place, one, isDefault) => {
    let kept = [HOME, WORK]
    const removed: unknown[] = []
    server.use(
      http.get('*/api/v1/me/destinations', () =>
        HttpResponse.json({ summary: { totalCount: kept.length }, destinations: kept }),
      ),
      http.delete('*/api/v1/me/destinations/:id', ({ params }) => {
        removed.push(params.id)
        kept = kept.filter(({ _id }) => _id !== params.id)
        return new HttpResponse(null, { status: 204 })
      }),
      http.post('*/api/v1/me/destinations', async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>)
        kept = [HOME, WORK]
        return HttpResponse.json({ destination: one }, { status: 201 })
      }),
    )
    renderPage(
      <>
        <Destinations />
        <ConfirmHost />
        <Toasts />
      </>,
      '/mypage/destinations',
    )
    await userEvent.click((await screen.findAllByRole('button', { name: '삭제' }))[place] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('heading', { name: new RegExp(`^${one.title}`) })).toBeNull())
    expect(removed).toEqual([one._id])
    expect(await screen.findByText('배송지를 삭제했습니다.')).toBeTruthy()
    // The toaster follows the pointer, which jsdom does not have.
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    expect(await screen.findByRole('heading', { name: new RegExp(`^${one.title}`) })).toBeTruthy()
    const { _id, ...fields } = one
    expect(sent).toEqual([{ ...fields, isDefault }])
    expect(await screen.findByText('배송지를 복원했습니다.')).toBeTruthy()
  })

  it("focus the first invalid field, also for the server's errors", async () => {
    const form = await open('새 배송지')
    await userEvent.click(form.getByRole('button', { name: '저장' }))
    expect(document.activeElement).toBe(form.getByLabelText(/받는 분/))
    expect(sent).toEqual([])
    await userEvent.type(form.getByLabelText(/받는 분/), '김하늘')
    await userEvent.type(form.getByLabelText(/휴대폰/), '01012345678')
    await userEvent.type(form.getByLabelText(/우편번호/), '07001')
    await userEvent.type(form.getByLabelText(/^주소/), '상도로 1')
    await userEvent.click(form.getByRole('button', { name: '저장' }))
    expect(await form.findByText('배송지는 50개까지 저장할 수 있습니다.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText(/배송지 이름/)))
    expect(sent).toHaveLength(1)
  })
})
