// The address of the current page, which guards redirect back to, and the title of the tab.
import { useLayoutEffect } from 'react'
import { type Location, useLocation } from 'react-router'
import { setTitle } from '../lib/pageContext'
import { routeOf } from './routeTable'

let address: string | undefined

/** Undefined before the first page. */
export const currentAddress = (): string | undefined => address

function arrive({ pathname, search }: Location): void {
  const arrived = pathname + search
  if (arrived === address) return
  const before = address?.split('?')[0]
  address = arrived
  // A page that named itself after its product keeps that name while its filters change.
  if (before !== pathname) setTitle(routeOf(pathname)?.title ?? '404')
}

/**
 * Follows the pages. A component does so, not a subscription to the router: the router keeps what it says before anybody listens for
 * its first subscriber, which has to be the one that draws (`RouterProvider`), or the first page is drawn with an old state.
 */
export function useCurrentPage(): void {
  const location = useLocation()
  // Before the effects of the page, which may give a better title.
  useLayoutEffect(() => arrive(location), [location])
}
