// A page the browser kept as it stood (back from the payment window, or from another site) shows what was true then: who is logged
// in and everything that was read are looked up again.
import type { QueryClient } from '@tanstack/react-query'
import { rereadSession } from '../api/session'

export function refreshOnBfcacheRestore(client: QueryClient): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    rereadSession()
    void client.invalidateQueries()
  })
}
