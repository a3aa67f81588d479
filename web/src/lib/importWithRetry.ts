// Dynamic imports with retries.

/** Delays of the retries. */
export const IMPORT_RETRIES_MS = [300, 1500]

/** Modules loaded by a retry, by the address that failed. */
const recovered = new Map<string, unknown>()
const pause = (ms: number) => new Promise((over) => setTimeout(over, ms))

/**
 * Imports with a few tries: most failures are short connection losses. Chromium and Firefox never refetch an address that failed,
 * but report it; with a query string it counts as another one.
 */
export async function imported<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load()
  } catch (error) {
    const [url = ''] = /https?:\S+/.exec(String(error)) ?? []
    for (const delay of IMPORT_RETRIES_MS) {
      // Offline there is nothing to wait for.
      if (recovered.has(url) || !navigator.onLine) break
      await pause(delay)
      try {
        if (!url) return await load()
        const code: unknown = recovered.get(url) ?? (await import(/* @vite-ignore */ `${url}?${Date.now()}`))
        // Concurrent callers get the same instance.
        if (!recovered.has(url)) recovered.set(url, code)
      } catch {
        // next retry, or the first error
      }
    }
    if (recovered.has(url)) return recovered.get(url) as M
    throw error
  }
}

/** Whether a script or style sheet failed to load; browsers word it differently. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error && /import|preload CSS/i.test(error.message)
