// Stale answers are read again and told about meanwhile; however that goes, the telling ends.
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apiQueryKey } from '../api/query'
import { AppQueryClient } from '../api/queryClient'
import { forgetStale, isAnyStale, reportFreshness, STALE_RETRIES_MS } from '../api/staleReads'
import StaleDataBanner from './StaleDataBanner'

const ORDERS = '/api/v1/me/orders'
let client: AppQueryClient
let reads: number
let answer: () => Promise<unknown>
let leave: () => void

beforeEach(async () => {
  vi.useFakeTimers()
  client = new AppQueryClient({ defaultOptions: { queries: { retry: false } } })
  reads = -1
  answer = stale
  const observer = new QueryObserver(client, {
    queryKey: apiQueryKey(ORDERS),
    queryFn: () => {
      reads += 1
      return answer()
    },
  })
  render(
    <QueryClientProvider client={client}>
      <StaleDataBanner />
    </QueryClientProvider>,
  )
  leave = observer.subscribe(() => undefined)
  await act(() => vi.advanceTimersByTimeAsync(0))
})
afterEach(() => {
  leave()
  vi.useRealTimers()
  forgetStale(ORDERS)
})

async function stale() {
  reportFreshness(ORDERS, true)
  return []
}
async function fresh() {
  reportFreshness(ORDERS, false)
  return []
}
const failing = () => Promise.reject(new Error('no connection'))
const over = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = () => screen.queryByRole('status')?.textContent

it('reads again after 0.5, 1, 2 and 4 s, then says that it has not caught up, and stops saying so', async () => {
  expect(shown()).toBe('반영 중…')
  for (const [i, wait] of STALE_RETRIES_MS.entries()) {
    await over(wait - 1)
    expect(reads).toBe(i)
    await over(1)
    expect(reads).toBe(i + 1)
  }
  expect(shown()).toMatch(/아직 반영되지 않았습니다/)
  await over(60_000)
  expect(shown()).toBeUndefined()
  expect(reads).toBe(4)
})

it('ends with a fresh answer, of this address alone', async () => {
  act(() => reportFreshness('/api/v1/me/orders/1', false))
  expect(shown()).toBe('반영 중…')
  answer = fresh
  await over(500)
  expect(shown()).toBeUndefined()
})

it('ends where nobody shows the answer any more', async () => {
  leave()
  await over(500)
  expect(shown()).toBeUndefined()
  expect(reads).toBe(0)
  expect(isAnyStale()).toBe(false)
})

it('ends where the reading fails: tried as often, told, and over', async () => {
  answer = failing
  await over(500)
  expect(shown()).toBe('반영 중…')
  await over(7000)
  expect(reads).toBe(4)
  expect(shown()).toMatch(/아직 반영되지 않았습니다/)
  await over(60_000)
  expect(shown()).toBeUndefined()
})

it('ends where one leaves while it is read', async () => {
  answer = () => new Promise(() => undefined)
  await over(500)
  leave()
  await act(() => client.cancelQueries())
  await over(60_000)
  expect(shown()).toBeUndefined()
})

it('is told though the answer was stale before this listened', async () => {
  cleanup()
  render(
    <QueryClientProvider client={client}>
      <StaleDataBanner />
    </QueryClientProvider>,
  )
  expect(shown()).toBe('반영 중…')
  answer = fresh
  await over(500)
  expect(shown()).toBeUndefined()
})
