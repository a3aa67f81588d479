import { beforeEach, expect, it, vi } from 'vitest'
import { reloadOnMissingChunk } from './errors'

beforeEach(() => sessionStorage.clear())

it('loads the new build once when a file of the old one is gone, and does not go round in circles', () => {
  vi.useFakeTimers({ now: 1_000_000_000 })
  const reload = vi.fn()
  reloadOnMissingChunk(reload)
  const missing = (): boolean => !window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  expect(missing()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
  // still missing after the reload: the page's error is shown instead
  vi.advanceTimersByTime(5_000)
  expect(missing()).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  // the next deploy
  vi.advanceTimersByTime(60_000)
  expect(missing()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
