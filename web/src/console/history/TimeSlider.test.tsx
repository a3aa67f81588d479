// The slider over the history: its thumb stays where it was put, even if the page is slow.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { TimeSlider } from './TimeSlider'

const events = ['주문', '결제', '발송'].map((title, i) => ({
  position: i + 1,
  at: `2026-03-0${i + 1}T09:00:00Z`,
  recordedAt: `2026-03-0${i + 1}T09:00:00Z`,
  title,
  type: 'Any',
  stream: { kind: 'order', id: 'o1' },
  actor: { kind: 'system' },
})) as unknown as Parameters<typeof TimeSlider>[0]['events']

it('does not jump back while the page is loading', async () => {
  const onAt = vi.fn()
  const slider = (at: number) => <TimeSlider events={events} at={at} onAt={onAt} />
  const { rerender } = render(slider(3))
  const valueText = () => screen.getByRole('slider').getAttribute('aria-valuetext')?.split(',')[0]
  screen.getByRole('slider').focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(onAt.mock.calls).toEqual([[2], [1]])
  rerender(slider(2))
  expect(valueText()).toBe('결제')
  rerender(slider(1))
  expect(valueText()).toBe('결제')
  // A button beside an event goes there at once.
  rerender(slider(0))
  expect(valueText()).toBe('주문')
})

it('follows the page if that does not get there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const slider = (at: number) => <TimeSlider events={events} at={at} onAt={() => undefined} />
  const { rerender } = render(slider(3))
  screen.getByRole('slider').focus()
  await userEvent.keyboard('{ArrowLeft}')
  rerender(slider(0))
  await vi.waitFor(() => expect(screen.getByRole('slider').getAttribute('aria-valuenow')).toBe('0'))
  vi.useRealTimers()
})
