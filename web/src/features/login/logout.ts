import { revoke } from '../../api/client'
import { endSession, useSession } from '../../api/session'
import { clearSessionItems } from '../../lib/storage'

/**
 * Ends the session, here and at the server (unless that has ended it); in this browser with what the tab remembers of it (the order
 * being written, the position of own writes).
 */
export function logOut({ isEnded = false } = {}): void {
  const { refreshToken } = useSession.getState()
  if (refreshToken && !isEnded) void revoke(refreshToken)
  endSession()
  clearSessionItems()
}
