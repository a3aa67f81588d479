// A page restored from the back-forward cache (back from the payment window, or from another site) shows old data: the session and all
// queries are read again.
import type { QueryClient } from '@tanstack/react-query'
import { rereadSession } from '../api/session'

export function refreshOnBfcacheRestore(client: QueryClient): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    rereadSession()
    void client.invalidateQueries()
  })
}
