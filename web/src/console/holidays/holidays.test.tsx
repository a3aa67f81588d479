// The public holidays page: a hint when there are none, dates with weekdays, and the effect of a date.
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Component as Holidays } from './index'

withServer()

let kept: Record<string, unknown>[] = []

beforeEach(() => {
  kept = []
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
  server.use(
    http.get('*/api/console/shop/holidays', () =>
      HttpResponse.json({ summary: { totalCount: kept.length }, holidays: kept }),
    ),
    http.post('*/api/console/shop/holidays', async ({ request }) => {
      const sent = (await request.json()) as Record<string, unknown>
      const message = '이미 등록한 날짜입니다.'
      if (kept.some(({ date }) => date === sent.date)) {
        const fields = [{ field: 'date', code: 'date_taken', message }]
        return HttpResponse.json({ error: { code: 'date_taken', message, fields } }, { status: 409 })
      }
      kept.push({ ...sent, _id: 'h2', version: 1 })
      return HttpResponse.json({ holiday: kept.at(-1) }, { status: 201 })
    }),
    http.get('*/api/console/shop/holidays/:id', () => HttpResponse.json({ holiday: kept.at(-1) })),
    http.get('*/api/console/shop/holidays/:id/history', () => HttpResponse.json({ events: [] })),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
  )
})
afterAll(() => useSession.setState({ payload: undefined }))

const open = (at: string) =>
  renderPage(
    <>
      <Holidays />
      <ConfirmHost />
    </>,
    at,
  )

it('shows a hint when there are none, and lists dates with their weekdays', async () => {
  const none = open('/console/shop/holidays')
  await screen.findByText('아직 공휴일이 없습니다.')
  expect(screen.getByText(/올해와 내년의 공휴일을 등록해 주세요/)).toBeTruthy()
  expect(screen.getByRole('button', { name: '엑셀 업로드' })).toBeTruthy()
  none.unmount()

  kept = [{ _id: 'h1', version: 1, date: '2026-09-25', name: '추석', updatedAt: '2026-03-02T01:00:00Z' }]
  const { container } = open('/console/shop/holidays')
  // In the table, and stacked for a phone.
  for (const link of await screen.findAllByRole('link', { name: '추석' }))
    expect(link.getAttribute('href')).toBe('/console/shop/holidays?id=h1')
  expect(screen.getAllByText('2026. 09. 25. (금)').length).toBeGreaterThan(0)
  expect(await a11yViolations(container)).toEqual([])
})

it("shows a date's effect on refunds, and refuses duplicate dates", { timeout: 30_000 }, async () => {
  const user = userEvent.setup()
  kept = [{ _id: 'h1', version: 1, date: '2026-09-25', name: '추석' }]
  const { router, container } = open('/console/shop/holidays?id=new')
  const date = await screen.findByLabelText(/^날짜/)
  expect(screen.queryByText(/환불 기한/)).toBeNull()
  fireEvent.change(date, { target: { value: '2026-09-26' } })
  expect(screen.getByText(/2026\. 09\. 26\. \(토\).*달라지지 않습니다/)).toBeTruthy()
  fireEvent.change(date, { target: { value: '2026-09-25' } })
  expect(screen.getByText(/2026\. 09\. 25\. \(금\).*건너뜁니다/)).toBeTruthy()

  await user.type(screen.getByLabelText(/^공휴일 이름/), '추석 연휴')
  await user.click(screen.getByRole('button', { name: '저장' }))
  const [told] = await screen.findAllByText('이미 등록한 날짜입니다.')
  expect(told).toBeTruthy()
  expect(date.getAttribute('aria-invalid')).toBe('true')
  expect(await a11yViolations(container)).toEqual([])

  fireEvent.change(date, { target: { value: '2026-09-24' } })
  await user.click(screen.getByRole('button', { name: '저장' }))
  await screen.findByRole('heading', { level: 1, name: '추석 연휴' })
  expect(router.state.location.search).toBe('?id=h2')
  expect(kept.at(-1)).toMatchObject({ date: '2026-09-24', name: '추석 연휴' })
})
