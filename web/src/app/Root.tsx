// Wraps every page: scrolling, progress bar, toasts and confirmations, and the end of a session.
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
import { dismissToasts, Toasts, toast } from '../ui/toast'
import { useCurrentPage } from './currentPage'
import { Offline } from './Offline'
import { routeOf } from './routeTable'
import { loadWebfont } from './webfont'

const StaleDataBanner = optional(() => import('./StaleDataBanner'))

setNotifier((message) => void toast(message, { tone: 'error' }))

// A different user must not see data of the one before. A guest's data is public: it stays visible while it is read again, as does
// the dialog that asked for the login. What a toast offers (undo, a login, a guest's cart) was for the user before.
useSession.subscribe((now, before) => {
  if (now.payload?._user === before.payload?._user) return
  dismissToasts()
  if (before.payload === undefined) return void queryClient.invalidateQueries()
  const shown = queryClient
    .getQueryCache()
    .getAll()
    .flatMap((query) => query.observers)
  queryClient.clear()
  // A page that stays is rendered for the new user first, and reads again what it still needs.
  setTimeout(() => {
    for (const one of shown) if (one.hasListeners()) one.setOptions(one.options)
  })
})

export function Root() {
  const navigate = useNavigate()
  const location = useLocation()
  const moving = useNavigation().state !== 'idle'

  // Layout effect, so that the handlers always leave the page that is rendered.
  useLayoutEffect(() => {
    const leave = (message: string) => {
      void toast(message, { tone: 'error' })
      const { pathname, search } = location
      const route = routeOf(pathname)
      if (route?.login || route?.scope) void navigate(loginPath(pathname + search))
    }
    setSessionLostHandler(() => leave(ko.session.expired))
    // The page's content belonged to that member.
    setEndedElsewhereHandler(() => leave(ko.session.endedElsewhere))
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

/** Shown before the first page's code is loaded. */
export function Starting() {
  return <Loading className="min-h-dvh" />
}
