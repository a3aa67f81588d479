// Read-your-writes: the newest position of a command, shared between tabs, is sent with every GET for a minute.
import { hasShape, isNumber, isText, sessionItem } from '../lib/storage'

/** How long a command's position is sent. */
export const POSITION_TTL_MS = 60_000

const NAME = 'jangbu.position'
type Mark = { position: string; at: number }
const newest = sessionItem(NAME, hasShape<Mark>({ position: isText, at: isNumber }))

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME)

/** Positions are 64-bit integers, too large to compare safely as a JavaScript number. */
function isNewer(position: string, than: string | undefined): boolean {
  if (!/^\d+$/.test(position)) return false
  return than === undefined || BigInt(position) > BigInt(than)
}

function keep(mark: Mark): boolean {
  if (!isNewer(mark.position, newest.read()?.position)) return false
  newest.keep(mark)
  return true
}

channel?.addEventListener('message', (event: MessageEvent<Mark>) => keep(event.data))

/** Stores the `X-Position` of a command's response. */
export function rememberPosition(position: string | null, now: number = Date.now()): void {
  if (position === null) return
  const mark = { position, at: now }
  if (keep(mark)) channel?.postMessage(mark)
}

/** The position to wait for, or undefined when the last command is older than a minute. */
export function positionToWaitFor(now: number = Date.now()): string | undefined {
  const mark = newest.read()
  return mark && now - mark.at < POSITION_TTL_MS ? mark.position : undefined
}

/** Clears it when another member logs in. */
export const forgetPosition = newest.forget
