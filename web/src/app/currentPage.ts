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
  // A page titled by its product keeps that title while its filters change.
  if (before !== pathname) setTitle(routeOf(pathname)?.title ?? '페이지를 찾을 수 없습니다')
}

/**
 * Tracks the current page. A hook, not a subscription to the router: the router replays its early state only to its first
 * subscriber, which has to be `RouterProvider`, or the first page is rendered with an old state.
 */
export function useCurrentPage(): void {
  const location = useLocation()
  // Runs before the effects of the page, which may set a better title.
  useLayoutEffect(() => arrive(location), [location])
}
