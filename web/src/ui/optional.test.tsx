// Code that fails to load: it is retried, then reported or left out, and nothing around it is lost.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IMPORT_RETRIES_MS, imported } from '../lib/importWithRetry'
import { missing, optional } from './Optional'

const unreachable = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'))
const come = () => Promise.resolve({ default: ({ name }: { name: string }) => <p>{name} 왔습니다</p> })
let online: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a dynamic import', () => {
  it('is retried after a delay, a fixed number of times', async () => {
    vi.useFakeTimers()
    const load = vi.fn(unreachable)
    const failed = vi.fn()
    void imported(load).catch(failed)
    for (const [i, wait] of IMPORT_RETRIES_MS.entries()) {
      await vi.advanceTimersByTimeAsync(wait - 1)
      expect(load).toHaveBeenCalledTimes(i + 1)
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(load).toHaveBeenCalledTimes(3)
    expect(failed).toHaveBeenCalledTimes(1)
  })
  it('resolves to the module once it loads', async () => {
    vi.useFakeTimers()
    const load = vi.fn<() => Promise<string>>(unreachable)
    const got = imported(load)
    load.mockResolvedValue('code')
    await vi.advanceTimersByTimeAsync(300)
    expect(await got).toBe('code')
  })
  it('is not waited for when offline', async () => {
    online.mockReturnValue(false)
    const load = vi.fn(unreachable)
    await expect(imported(load)).rejects.toThrow(TypeError)
    expect(load).toHaveBeenCalledTimes(1)
  })
})

/** A form with an optional part beside it. */
function Form({ Part }: { Part: ReturnType<typeof optional<{ name: string }>> }) {
  const [shows, setShows] = useState(false)
  return (
    <>
      <input aria-label="메모" />
      <button type="button" onClick={() => setShows(!shows)}>
        보기
      </button>
      {shows && <Part name="후기" />}
    </>
  )
}

describe('an optional part', () => {
  it('keeps input beside it, and loads once the connection is back', async () => {
    online.mockReturnValue(false)
    const load = vi.fn<() => ReturnType<typeof come>>(unreachable)
    const onFail = vi.fn()
    render(<Form Part={optional(load, { onFail })} />)
    await userEvent.type(screen.getByLabelText('메모'), '우유')
    await userEvent.click(screen.getByRole('button', { name: '보기' }))
    await vi.waitFor(() => expect(onFail).toHaveBeenCalledTimes(1))
    expect(screen.getByLabelText('메모')).toHaveProperty('value', '우유')
    load.mockImplementation(come)
    online.mockReturnValue(true)
    await act(async () => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText('후기 왔습니다')).toBeTruthy()
    expect(screen.getByLabelText('메모')).toHaveProperty('value', '우유')
  })
  it('shows the failure in its place, with a retry', async () => {
    online.mockReturnValue(false)
    const load = vi.fn<() => ReturnType<typeof come>>(unreachable)
    render(<Form Part={optional(load, { instead: missing })} />)
    await userEvent.click(screen.getByRole('button', { name: '보기' }))
    expect((await screen.findByRole('alert')).textContent).toContain('인터넷 연결을 확인해 주세요')
    await userEvent.click(screen.getByRole('button', { name: '다시 시도' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(2)
    load.mockImplementation(come)
    await userEvent.click(screen.getByRole('button', { name: '다시 시도' }))
    expect(await screen.findByText('후기 왔습니다')).toBeTruthy()
  })
  it('is loaded again when it is opened again', async () => {
    online.mockReturnValue(false)
    const load = vi.fn<() => ReturnType<typeof come>>(unreachable)
    const onFail = vi.fn()
    render(<Form Part={optional(load, { onFail })} />)
    const press = () => userEvent.click(screen.getByRole('button', { name: '보기' }))
    await press()
    await vi.waitFor(() => expect(onFail).toHaveBeenCalledWith({ name: '후기' }))
    load.mockImplementation(come)
    await press()
    await press()
    expect(await screen.findByText('후기 왔습니다')).toBeTruthy()
  })
  it('affects nothing else when it throws', async () => {
    const Broken = () => {
      throw new Error('a fault of ours')
    }
    render(<Form Part={optional(() => Promise.resolve({ default: Broken }))} />)
    await userEvent.click(screen.getByRole('button', { name: '보기' }))
    await act(async () => {})
    expect(screen.getByLabelText('메모')).toBeTruthy()
  })
})

describe('if their code fails to load', () => {
  beforeEach(() => {
    vi.resetModules()
    vi.doMock('./Toaster', unreachable)
    vi.doMock('./ConfirmDialog', unreachable)
    online.mockReturnValue(false)
  })
  afterEach(() => {
    vi.doUnmock('./Toaster')
    vi.doUnmock('./ConfirmDialog')
  })

  it('toasts are shown with their action, and disappear', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { toast, Toasts } = await import('./toast')
    render(
      <>
        <input aria-label="메모" />
        <Toasts />
      </>,
    )
    const onClick = vi.fn()
    await act(() => toast('연결이 끊겼습니다', { tone: 'error', action: { label: '다시', onClick } }))
    expect(screen.getByRole('alert').textContent).toBe('연결이 끊겼습니다다시')
    act(() => screen.getByRole('button', { name: '다시' }).click())
    expect(onClick).toHaveBeenCalledTimes(1)
    await act(() => vi.advanceTimersByTimeAsync(6000))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByLabelText('메모')).toBeTruthy()
  })
  it("confirmations use the browser's own dialog", async () => {
    const { confirmDialog } = await import('./confirm')
    const confirm = vi.spyOn(window, 'confirm').mockReturnValueOnce(true).mockReturnValueOnce(false)
    expect(await confirmDialog({ title: '지울까요?', text: '되돌릴 수 없습니다.' })).toBe(true)
    expect(await confirmDialog({ title: '나갈까요?' })).toBe(false)
    expect(confirm.mock.calls).toEqual([['지울까요?\n\n되돌릴 수 없습니다.'], ['나갈까요?']])
  })
})
