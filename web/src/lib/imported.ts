// Code that comes when it is needed.

/** When a file that did not come is asked for again, in milliseconds. */
export const IMPORT_RETRIES_MS = [300, 1500]

/** Imports with a few tries: most files that do not come fail because a connection dropped for a moment. */
export async function imported<M>(load: () => Promise<M>): Promise<M> {
  for (const delay of IMPORT_RETRIES_MS) {
    try {
      return await load()
    } catch (error) {
      // Without a connection there is nothing to wait for.
      if (!navigator.onLine) throw error
      await new Promise((over) => setTimeout(over, delay))
    }
  }
  return load()
}

/** Did a file of code (or its looks) not come? Browsers word it differently. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error && /import|preload CSS/i.test(error.message)
