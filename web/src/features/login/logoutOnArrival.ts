// Ends the session where a navigation arrives: a page that needs a login, left behind, never stands there without one, and asks the
// server for nothing as a guest.
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type ToastTone, toast } from '../../ui/toast'
import { logOut } from './logout'

type Farewell = {
  message: string
  tone?: ToastTone
  /** The server has ended the sign-in already. */
  isEnded?: boolean
}

/** The state of a navigation that ends the session where it arrives. */
export const loggingOut = (farewell: Farewell): { loggingOut: Farewell } => ({ loggingOut: farewell })

const farewellOf = (state: unknown): Farewell | undefined =>
  typeof state === 'object' && state !== null ? (state as Partial<ReturnType<typeof loggingOut>>).loggingOut : undefined

/** Ends the session where a navigation with {@link loggingOut} arrives; the app has it once. */
export function useLogoutOnArrival(): void {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const arrived = useRef(false)
  useEffect(() => {
    const farewell = farewellOf(state)
    if (!farewell) {
      arrived.current = false
      return
    }
    if (arrived.current) return
    arrived.current = true
    logOut({ isEnded: farewell.isEnded })
    void toast(farewell.message, { tone: farewell.tone })
    // Returning to this address later must not log out again.
    void navigate({ pathname, search }, { replace: true, state: null })
  }, [state, pathname, search, navigate])
}
