// Reading one's own writes: the newest position of a command, shared by the shop's tabs, is asked for on every GET for a minute.

/** How long a command's position is sent along. */
export const POSITION_TTL_MS = 60_000

const KEY = 'jangbu.position'
type Mark = { position: string; at: number }

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(KEY)

function stored(): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return typeof mark === 'object' && mark !== null ? (mark as Mark) : undefined
  } catch {
    return undefined
  }
}

/** Positions are 64-bit whole numbers, too large for a JavaScript number to compare safely. */
function isNewer(position: string, than: string | undefined): boolean {
  if (!/^\d+$/.test(position)) return false
  return than === undefined || BigInt(position) > BigInt(than)
}

function keep(mark: Mark): boolean {
  if (!isNewer(mark.position, stored()?.position)) return false
  sessionStorage.setItem(KEY, JSON.stringify(mark))
  return true
}

channel?.addEventListener('message', (event: MessageEvent<Mark>) => keep(event.data))

/** Takes the `X-Position` of a command's answer. */
export function rememberPosition(position: string | null, now: number = Date.now()): void {
  if (position === null) return
  const mark = { position, at: now }
  if (keep(mark)) channel?.postMessage(mark)
}

/** The position to wait for, or undefined when the last command is older than a minute. */
export function positionToWaitFor(now: number = Date.now()): string | undefined {
  const mark = stored()
  return mark && now - mark.at < POSITION_TTL_MS ? mark.position : undefined
}

/** Another person at this browser starts without it. */
export function forgetPosition(): void {
  sessionStorage.removeItem(KEY)
}
