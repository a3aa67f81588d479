// The error page of routes; reloads once when a deploy has replaced the page's files.
import { useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ko } from '../i18n/ko'
import { isOutOfReach } from '../lib/importWithRetry'
import { isNumber, sessionItem } from '../lib/storage'
import { Button, buttonClass } from '../ui/Button'
import { missing, optional } from '../ui/Optional'
import { ErrorState } from '../ui/states'

const NotFound = optional(() => import('./pages/NotFound'), { instead: missing })

const reloadedAt = sessionItem('jangbu.reloadedAt', isNumber)
const ONCE_MS = 20_000

/** Online, a failed import means a newer build: allows one reload per 20 s. */
function mayBeOlder(): boolean {
  const last = reloadedAt.read() ?? 0
  if (!navigator.onLine || Date.now() - last < ONCE_MS) return false
  reloadedAt.keep(Date.now())
  return true
}

/**
 * 404, or a failed page. A page whose code could not be loaded is retried when the connection is back; the address is the new page's
 * already, so a reload loses nothing.
 */
export function RouteErrorPage({ reload = () => location.reload() }: { reload?: () => void }) {
  const error = useRouteError()
  const waits = isOutOfReach(error)
  const again = useEffectEvent(reload)
  useEffect(() => {
    if (!waits) return
    const tryAgain = () => again()
    if (mayBeOlder()) return tryAgain()
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [waits])
  const status =
    isRouteErrorResponse(error) || (typeof error === 'object' && error !== null && 'status' in error) ? error.status : 0
  if (status === 404) return <NotFound />
  return (
    <main id="content" className="shell py-10">
      <h1 className="sr-only">{ko.state.crashTitle}</h1>
      {/* The thrown message is for programmers. */}
      <ErrorState error={waits ? { message: ko.state.network } : {}} title={ko.state.crashTitle} />
      <div className="-mt-8 flex justify-center gap-2">
        <Button onClick={() => reload()}>{ko.action.retry}</Button>
        {/* Reloads with the page's current files. */}
        <a href="/" className={buttonClass({ variant: 'outline' })}>
          {ko.action.home}
        </a>
      </div>
    </main>
  )
}
