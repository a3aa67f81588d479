// Logging out with a confirmation; clears everything stored in this browser (spec V124-V126).
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { logOut } from '../features/login/logout'
import { ko } from '../i18n/ko'
import { confirmDialog } from '../ui/confirm'
import { toast } from '../ui/toast'

/** What the way home carries along when it ends the session there. */
const LOGS_OUT = 'logs-out'

export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const yes = await confirmDialog({ title: ko.session.logoutQuestion, yes: ko.action.logout })
    // Home first, so that no guard of the page left behind sees the missing token. A page with something unsaved asks on the way:
    // who stays there stays logged in, too.
    if (yes) await navigate('/', { state: LOGS_OUT })
  }
}

/** Ends the session where the way home was taken for it; the app has it once. */
export function useLogoutOnArrival(): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const arrived = useRef(false)
  useEffect(() => {
    if (state !== LOGS_OUT) {
      arrived.current = false
      return
    }
    if (arrived.current) return
    arrived.current = true
    logOut()
    void toast(ko.session.loggedOut)
    // Returning to this address later must not log out again.
    void navigate(pathname, { replace: true, state: null })
  }, [state, pathname, navigate])
}
