// Responses the server marked `X-Stale: 1`: a projection had not reached the client's last command in time. They are read again.

/** Delays before a stale response is read again, in milliseconds after it arrived. */
export const STALE_RETRIES_MS = [500, 1000, 2000, 4000] as const

type Listener = (path: string, stale: boolean) => void
const listeners = new Set<Listener>()
/** Paths whose last response was stale. */
const behind = new Set<string>()

/** Subscribes to the path of every completed GET and whether the response was stale; returns the unsubscribe function. */
export function onFreshness(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Called by the client for each completed GET. */
export function reportFreshness(path: string, stale: boolean): void {
  if (stale) behind.add(path)
  else behind.delete(path)
  for (const listener of listeners) listener(path, stale)
}

/** Paths whose last response was stale. */
export const stalePaths = (): readonly string[] => [...behind]
export const isAnyStale = (): boolean => behind.size > 0
/** Removes a path that no page shows any more. */
export const forgetStale = (path: string): boolean => behind.delete(path)

/** Whether a query key `[method, template, init]` reads this address. `{id}` in the template stands for one segment. */
export function keyReadsPath(key: readonly unknown[], path: string): boolean {
  const [method, template] = key
  if (method !== 'get' || typeof template !== 'string') return false
  const pattern = template.split('/')
  const given = path.split('/')
  return pattern.length === given.length && pattern.every((part, i) => part.startsWith('{') || part === given[i])
}
