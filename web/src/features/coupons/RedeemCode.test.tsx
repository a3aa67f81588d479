// The field for a coupon code: sent once, on Enter too; what is wrong is said at the field; no form of its own.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { RedeemCode } from './RedeemCode'

withServer()

let sent: unknown[]
let answer: () => Response

beforeEach(() => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  sent = []
  answer = () => HttpResponse.json({ coupon: { _id: 'i1', name: '가을 쿠폰' } }, { status: 201 })
  server.use(
    http.post('*/api/v1/me/coupons/codes', async ({ request }) => {
      expect(request.headers.get('Idempotency-Key')).toBeTruthy()
      sent.push(await request.json())
      return answer()
    }),
  )
})

it('redeems on Enter without sending the form around it, and says what is wrong at the field', {
  timeout: 30_000,
}, async () => {
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  renderPage(
    <>
      <form onSubmit={submitted}>
        <RedeemCode />
      </form>
      <Toasts />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: '등록' }))
  expect(screen.getByText('쿠폰 코드를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  const message = '쿠폰 코드를 잘못 입력했습니다.'
  answer = () => {
    const fields = [{ field: 'code', code: 'mistyped', message }]
    return HttpResponse.json({ error: { code: 'invalid', message: '입력', fields } }, { status: 400 })
  }
  const field = screen.getByLabelText(/^쿠폰 코드/)
  await userEvent.type(field, 'k7qf 2222{Enter}')
  expect(await screen.findByText(message)).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(await a11yViolations()).toEqual([])
  answer = () => HttpResponse.json({ coupon: { _id: 'i1', name: '가을 쿠폰' } }, { status: 201 })
  await userEvent.type(field, '2{Enter}')
  expect(await screen.findByText('‘가을 쿠폰’ 쿠폰을 받았습니다.')).toBeTruthy()
  expect((field as HTMLInputElement).value).toBe('')
  expect(sent).toEqual([{ code: 'k7qf 2222' }, { code: 'k7qf 22222' }])
  expect(submitted).not.toHaveBeenCalled()
})
