import { revoke } from '../../api/client'
import { endSession, useSession } from '../../api/session'
import { clearSessionItems } from '../../lib/storage'

/**
 * Ends the session, in this browser and on the server (unless it has ended it already), and clears the tab's session storage (the checkout
 * form, the position of own writes).
 */
export function logOut({ isEnded = false } = {}): void {
  const { refreshToken } = useSession.getState()
  if (refreshToken && !isEnded) void revoke(refreshToken)
  endSession()
  clearSessionItems()
}
