// Refused deadlines: the reason, a link, retry on request, and its result.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { components } from '../../api/schema.gen'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as Page } from './index'

type Answer = components['schemas']['RefusalsAnswer']

withServer()

const refusal: Answer['refusals'][number] = {
  kind: 'unpaid-order',
  _id: 'o1',
  stream: 'o1',
  position: 7,
  code: 'not_allowed_now',
  message: '현재 상태에서는 처리할 수 없습니다.',
  refusedAt: '2026-03-02T01:00:00Z',
}
const nothing: Answer = { summary: { totalCount: 0 }, refusals: [], reactions: [], retries: [] }

let answer: Answer
let sent: string[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  sent = []
  answer = { ...nothing, summary: { totalCount: 1 }, refusals: [refusal] }
  server.use(
    http.get('*/api/console/refusals', () => HttpResponse.json(answer)),
    http.post('*/api/console/refusals/:kind/:id/retry', ({ params }) => {
      sent.push(`${params.kind}/${params.id}`)
      const retry = {
        ...refusal,
        number: 1,
        retriedAt: '2026-03-02T02:00:00Z',
        retriedBy: 'u',
        nickname: '운영자',
        outcome: 'settled' as const,
      }
      answer = { ...nothing, retries: [retry] }
      return HttpResponse.json({ retry }, { status: 202 })
    }),
  )
})

const open = () =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    '/console/system/refusals',
  )

it('shows refusals with reasons, retries one, and shows the result', async () => {
  const { container } = open()
  const table = within(await screen.findByRole('table', { name: '기한이 된 일' }))
  expect(table.getByText('미입금 주문 취소')).toBeTruthy()
  expect(table.getByText('현재 상태에서는 처리할 수 없습니다.')).toBeTruthy()
  expect(table.getByRole('link', { name: '주문 장부 보기 o1' }).getAttribute('href')).toBe('/console/shop/orders/o1')
  expect(await a11yViolations(container)).toEqual([])

  await userEvent.click(table.getByRole('button', { name: '미입금 주문 취소 o1 다시 시도' }))
  await expect.poll(() => sent).toEqual(['unpaid-order/o1'])
  expect(await screen.findByText('거절된 일이 없습니다')).toBeTruthy()
  expect(await screen.findByText('처리됨')).toBeTruthy()
  expect(screen.getByText(/운영자 님이 다시 시도/)).toBeTruthy()
})

it('shows refused reactions, which are not retried', async () => {
  answer = {
    ...nothing,
    reactions: [
      {
        policy: 'policy_earning',
        position: 12_345,
        code: 'not_found',
        message: '요청하신 정보를 찾을 수 없습니다.',
        refusedAt: '2026-03-02T01:00:00Z',
      },
    ],
  }
  open()
  expect(await screen.findByRole('heading', { name: '거절된 반응' })).toBeTruthy()
  expect(screen.getByText('구매확정 적립')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /다시 시도/ })).toBeNull()
})

it('shows an error if loading fails, and loads again on request', async () => {
  let reads = 0
  server.use(
    http.get('*/api/console/refusals', () =>
      reads++ === 0
        ? HttpResponse.json({ error: { code: 'internal', message: '오류', requestId: 'x' } }, { status: 500 })
        : HttpResponse.json(answer),
    ),
  )
  open()
  await userEvent.click(await screen.findByRole('button', { name: /다시/ }))
  const table = within(await screen.findByRole('table', { name: '기한이 된 일' }))
  expect(table.getByText('미입금 주문 취소')).toBeTruthy()
})
