// The stream of a member's notifications: one connection of all windows, resumed after a break, with pauses that grow.
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import { server, withServer } from '../../testing/server'
import { type AlarmNews, followAlarms } from './live'

withServer()

/** The connections of a test: each with the `Last-Event-ID` it was opened with. */
let opened: { last: string | null; send: (id: number, unreadCount: number) => void; end: () => void }[]
let stops: (() => void)[]

const follow = (member = 'u') => {
  const news: AlarmNews[] = []
  const stop = followAlarms(member, (one) => news.push(one))
  stops.push(stop)
  return { counts: () => news.map(({ unreadCount }) => unreadCount), stop }
}

beforeEach(() => {
  opened = []
  stops = []
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/alarms/stream', ({ request }) => {
      const encoder = new TextEncoder()
      let controller: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({
        start: (one) => {
          controller = one
        },
      })
      opened.push({
        last: request.headers.get('Last-Event-ID'),
        send: (id, unreadCount) => {
          const text = `event: alarms\nid: ${id}\ndata: ${JSON.stringify({ unreadCount, alarms: [] })}\n\n`
          // In two parts, and a comment.
          controller.enqueue(encoder.encode(`:\n\n${text.slice(0, 20)}`))
          controller.enqueue(encoder.encode(text.slice(20)))
        },
        end: () => controller.close(),
      })
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
})

afterEach(() => {
  for (const stop of stops) stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  endSession()
})

/** Locks as browsers have them: one holder for each name, the next when it ends. */
function withLocks(): void {
  let turn: Promise<unknown> = Promise.resolve()
  const request = (_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) => {
    turn = turn.then(() => (signal.aborted ? undefined : hold()))
    return turn
  }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: { request } }))
}

describe('the stream of alarms', () => {
  it('goes on after the last event when the connection ends', async () => {
    const { counts } = follow()
    await vi.waitFor(() => expect(opened).toHaveLength(1))
    expect(opened[0]?.last).toBeNull()
    opened[0]?.send(7, 1)
    opened[0]?.send(8, 2)
    await vi.waitFor(() => expect(counts()).toEqual([1, 2]))
    opened[0]?.end()
    await vi.waitFor(() => expect(opened).toHaveLength(2), { timeout: 4_000 })
    expect(opened[1]?.last).toBe('8')
  })

  it('is opened again less and less often while the server is away', async () => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const tried: number[] = []
    server.use(
      http.get('*/api/v1/me/alarms/stream', () => {
        tried.push(Date.now())
        return new HttpResponse(null, { status: 503 })
      }),
    )
    follow()
    await vi.advanceTimersByTimeAsync(16_000)
    const pauses = tried.slice(1).map((at, index) => Math.round((at - (tried[index] ?? 0)) / 1_000))
    expect(pauses).toEqual([1, 2, 4, 8])
  })

  it('ends with the session', async () => {
    let asked = 0
    server.use(
      http.get('*/api/v1/me/alarms/stream', () => {
        asked += 1
        return HttpResponse.json({ error: { code: 'token_invalid', message: '' } }, { status: 401 })
      }),
      http.get('*/api/auth/accessToken', () =>
        HttpResponse.json({ error: { code: 'token_invalid' } }, { status: 401 }),
      ),
    )
    vi.useFakeTimers()
    follow()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toBe(1)
  })

  it('is one connection for all windows, which the next window takes over', async () => {
    withLocks()
    const [first, second] = [follow(), follow()]
    await vi.waitFor(() => expect(opened).toHaveLength(1))
    opened[0]?.send(1, 5)
    await vi.waitFor(() => expect([first.counts(), second.counts()]).toEqual([[5], [5]]))
    expect(opened).toHaveLength(1)
    first.stop()
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    expect(opened[1]?.last).toBe('1')
    opened[1]?.send(2, 6)
    await vi.waitFor(() => expect(second.counts()).toEqual([5, 6]))
    expect(first.counts()).toEqual([5])
  })

  it('leaves no connection behind on a page that is kept for the way back', async () => {
    const aborted = vi.spyOn(AbortController.prototype, 'abort')
    follow()
    await vi.waitFor(() => expect(opened).toHaveLength(1))
    window.dispatchEvent(new Event('pagehide'))
    expect(aborted).toHaveBeenCalled()
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await vi.waitFor(() => expect(opened).toHaveLength(2))
  })
})
