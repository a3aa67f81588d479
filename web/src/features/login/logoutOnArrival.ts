// Ends the session when a navigation arrives, so that the page left behind, which needs a login, is never rendered without one and
// sends no requests as a guest.
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type ToastTone, toast } from '../../ui/toast'
import { logOut } from './logout'

type Farewell = {
  message: string
  tone?: ToastTone
  /** The server has ended the session already. */
  isEnded?: boolean
}

/** The state of a navigation that ends the session on arrival. */
export const loggingOut = (farewell: Farewell): { loggingOut: Farewell } => ({ loggingOut: farewell })

const farewellOf = (state: unknown): Farewell | undefined =>
  typeof state === 'object' && state !== null ? (state as Partial<ReturnType<typeof loggingOut>>).loggingOut : undefined

/** Ends the session when a navigation with {@link loggingOut} arrives; mounted once by the app. */
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
