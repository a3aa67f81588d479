// Stale responses are read again with a banner meanwhile; whatever happens, the banner goes away.
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

it('reads again after 0.5, 1, 2 and 4 s, then shows that the data is not up to date, and hides that again', async () => {
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

it('ends with a fresh response for this address only', async () => {
  act(() => reportFreshness('/api/v1/me/orders/1', false))
  expect(shown()).toBe('반영 중…')
  answer = fresh
  await over(500)
  expect(shown()).toBeUndefined()
})

it('ends when no page shows the data any more', async () => {
  leave()
  await over(500)
  expect(shown()).toBeUndefined()
  expect(reads).toBe(0)
  expect(isAnyStale()).toBe(false)
})

it('ends when reading fails: as many retries, then the notice, then nothing', async () => {
  answer = failing
  await over(500)
  expect(shown()).toBe('반영 중…')
  await over(7000)
  expect(reads).toBe(4)
  expect(shown()).toMatch(/아직 반영되지 않았습니다/)
  await over(60_000)
  expect(shown()).toBeUndefined()
})

it('ends when the page is left during a read', async () => {
  answer = () => new Promise(() => undefined)
  await over(500)
  leave()
  await act(() => client.cancelQueries())
  await over(60_000)
  expect(shown()).toBeUndefined()
})

it('shows responses that were stale before it was mounted', async () => {
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
