// The raffle on the page of an event: entered once with an idempotency key, and its result in each state.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { RaffleSection } from './RaffleSection'
import type { Raffle } from './raffleCheck'

withServer()

const HASH = 'ab'.repeat(32)
const OPEN: Raffle = {
  winners: 2,
  prize: '주행 쿠폰',
  commitment: HASH,
  entries: 4,
  chain: HASH,
  draw: null,
  mine: null,
}
const DRAW = { seed: HASH, winners: [3, 1], passed: [2], drawnAt: '2026-11-27T12:00:00Z' }

const show = (raffle: Raffle, ended: boolean) =>
  renderPage(
    <>
      <RaffleSection id="e1" endsAt="2099-01-01T00:00:00Z" ended={ended} raffle={raffle} at="/sub/event/ongoing/e1" />
      <Toasts />
    </>,
  )

it('asks a guest to log in', async () => {
  show(OPEN, false)
  const link = screen.getByRole('link', { name: '로그인하고 응모하기' })
  expect(link.getAttribute('href')).toContain('next=%2Fsub%2Fevent%2Fongoing%2Fe1')
  expect(await a11yViolations()).toEqual([])
})

it('enters a member and says the number', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const keys: (string | null)[] = []
  server.use(
    http.post('*/api/v1/me/events/e1/entry', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.json({ entry: { number: 5, mark: HASH, won: false } })
    }),
  )
  show(OPEN, false)
  await userEvent.click(screen.getByRole('button', { name: '응모하기' }))
  expect(await screen.findByText('응모했습니다. 응모 번호는 5번입니다.')).toBeTruthy()
  expect(keys).toHaveLength(1)
  expect(keys[0]).toBeTruthy()
})

it('tells the number, the result and what cannot be right', async () => {
  const mine = (number: number, won: boolean) => ({ number, mark: HASH, won })
  const first = show({ ...OPEN, mine: mine(4, false) }, false)
  expect(screen.getByText('4번')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '응모하기' })).toBeNull()
  first.unmount()
  const over = show({ ...OPEN, mine: mine(4, false) }, true)
  expect(screen.getByText(/^곧 당첨 번호를 추첨합니다/)).toBeTruthy()
  over.unmount()
  const lost = show({ ...OPEN, draw: DRAW, mine: mine(4, false) }, true)
  expect(screen.getByText(/당첨되지 않았습니다/)).toBeTruthy()
  lost.unmount()
  server.use(http.get('*/api/v1/shop/events/e1/marks', () => HttpResponse.json({ marks: [HASH, HASH, HASH, HASH] })))
  show({ ...OPEN, draw: DRAW, mine: mine(3, true) }, true)
  expect(screen.getByText(/^축하합니다/)).toBeTruthy()
  expect(screen.getByText(/탈퇴한 회원의 번호\(2\)는 건너뛰고/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '추첨 확인하기' }))
  expect(await screen.findByText(/처음에 공개한 지문과 맞지 않습니다/)).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
})
