// Around every page: scrolling, the progress line, messages and questions, and the end of a session.
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation } from 'react-router'
import { setSessionLostHandler } from '../api/client'
import { setNotifier } from '../api/notify'
import { queryClient } from '../api/queryClient'
import { setEndedElsewhereHandler, useSession } from '../api/session'
import { isAnyStale, onFreshness } from '../api/staleReads'
import { useLogoutOnArrival } from '../features/login/logoutOnArrival'
import { useCurrencyEdition } from '../features/settings/api'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { loginPath } from '../lib/loginRedirect'
import { ConfirmHost } from '../ui/confirm'
import { optional } from '../ui/Optional'
import { Loading } from '../ui/states'
import { Toasts, toast } from '../ui/toast'
import { useCurrentPage } from './currentPage'
import { Offline } from './Offline'
import { routeOf } from './routeTable'
import { loadWebfont } from './webfont'

const StaleDataBanner = optional(() => import('./StaleDataBanner'))

setNotifier((message) => void toast(message, { tone: 'error' }))

// Another reader must not see what the one before has read. What a guest has read is anybody's: it stays in sight while it is read
// again, and with it the dialog that asked them to log in.
useSession.subscribe((now, before) => {
  if (now.payload?._user === before.payload?._user) return
  if (before.payload === undefined) void queryClient.invalidateQueries()
  else queryClient.clear()
})

export function Root() {
  const navigate = useNavigate()
  const location = useLocation()
  const moving = useNavigation().state !== 'idle'

  // With the page, not after it: what is left is what stands here.
  useLayoutEffect(() => {
    const leave = () => {
      const { pathname, search } = location
      const route = routeOf(pathname)
      if (route?.login || route?.scope) void navigate(loginPath(pathname + search))
    }
    setSessionLostHandler(() => {
      void toast(ko.session.expired, { tone: 'error' })
      leave()
    })
    // What stands here was theirs alone.
    setEndedElsewhereHandler(leave)
  }, [navigate, location])

  useCurrentPage()
  useEffect(loadWebfont, [])
  useLogoutOnArrival()
  const currency = useCurrencyEdition()

  return (
    <>
      <div
        aria-hidden
        className={cn(
          'fixed inset-x-0 top-0 z-60 h-0.5 origin-left bg-accent transition-all duration-500',
          moving ? 'scale-x-75 opacity-100' : 'scale-x-0 opacity-0',
        )}
      />
      <Outlet key={currency} />
      <ScrollRestoration />
      {useSyncExternalStore(onFreshness, isAnyStale) && <StaleDataBanner />}
      <Offline />
      <ConfirmHost />
      <Toasts />
    </>
  )
}

/** Before the first page's code has come. */
export function Starting() {
  return <Loading className="min-h-dvh" />
}
