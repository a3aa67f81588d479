// Changes of the member's notifications as the server sends them. One window of the browser holds the connection; the others are told by it.
import { createParser } from 'eventsource-parser'
import { checkAccess, requestOf, send } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { components } from '../../api/schema.gen'

const STREAM = '/api/v1/me/alarms/stream'
const NAME = 'jangbu.alarms'
/** Pauses before the connection is opened again: the first, doubled up to the last. */
const PAUSES_MS = { first: 1_000, last: 60_000 }
/** The server sends a comment every 15 seconds: after this time without any, the connection is dead. */
const SILENCE_MS = 40_000

export type AlarmNews = components['schemas']['AlarmNews']
/** `id` is where the stream goes on after it. */
type Message = { id: string; news: AlarmNews }
type OnMessage = (message: Message) => void

/** Calls `onNews` with every change until the returned function is called. */
export function followAlarms(member: string, onNews: (news: AlarmNews) => void): () => void {
  const name = `${NAME}.${member}`
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  let last: string | undefined
  const take: OnMessage = (message) => {
    last = message.id
    onNews(message.news)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data))
  const tell: OnMessage = (message) => {
    channel?.postMessage(message)
    take(message)
  }
  let running = new AbortController()
  const start = () => {
    running = new AbortController()
    const { signal } = running
    const connect = () => stayConnected(signal, () => last, tell)
    // Without locks every window has its own connection.
    const held = 'locks' in navigator && channel ? navigator.locks.request(name, { signal }, connect) : connect()
    held.catch(() => undefined)
  }
  const stop = () => running.abort()
  // A page with an open connection or a lock is not kept for the way back.
  const restart = ({ persisted }: PageTransitionEvent) => persisted && start()
  window.addEventListener('pagehide', stop)
  window.addEventListener('pageshow', restart)
  start()
  return () => {
    window.removeEventListener('pagehide', stop)
    window.removeEventListener('pageshow', restart)
    stop()
    channel?.close()
  }
}

async function stayConnected(signal: AbortSignal, last: () => string | undefined, tell: OnMessage): Promise<void> {
  let pause = PAUSES_MS.first
  while (!signal.aborted) {
    try {
      await checkAccess()
      await receive(signal, last(), (message) => {
        pause = PAUSES_MS.first
        tell(message)
      })
    } catch (thrown) {
      const { status } = toApiError(thrown)
      // The session is over.
      if (status === 401 || status === 403) return
      if (status === 429) pause = PAUSES_MS.last
    }
    // Not all browsers at the same moment, after a restart of the server.
    await rest(pause * (0.75 + Math.random() / 2), signal)
    pause = Math.min(pause * 2, PAUSES_MS.last)
  }
}

/** Reads one response until it ends. */
async function receive(signal: AbortSignal, last: string | undefined, tell: OnMessage): Promise<void> {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  heard()
  try {
    const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) }
    const either = AbortSignal.any([signal, silent.signal])
    const response = await send(requestOf('GET', STREAM, { headers, signal: either }))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    either.addEventListener('abort', () => void reader?.cancel().catch(() => undefined), { once: true })
    const parser = createParser({
      onEvent: ({ id, data }) => id !== undefined && tell({ id, news: JSON.parse(data) as AlarmNews }),
    })
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      heard()
      parser.feed(part.value)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Waits; shorter when the network comes back or the signal ends it. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
