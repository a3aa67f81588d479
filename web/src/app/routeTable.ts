// The routes known so far: the shop's from the start, the console's once its code is loaded.
import type { AppRoute } from './routes/route'
import { shopRoutes } from './routes/shopRoutes'

/** Addresses match case-insensitively. */
const segmentsOf = (path: string): string[] => path.toLowerCase().split('/').filter(Boolean)
const isParameter = (segment: string): boolean => segment.startsWith(':')
const parameters = (segments: string[]): number => segments.filter(isParameter).length

type Row = { route: AppRoute; segments: string[] }

/** Routes with their paths split once; static segments take precedence over parameters. */
const prepared = (routes: readonly AppRoute[]): Row[] =>
  routes
    .map((route) => ({ route, segments: segmentsOf(route.path) }))
    .sort((a, b) => parameters(a.segments) - parameters(b.segments))

let known = shopRoutes
let table = prepared(known)

/** Adds the routes of code that was loaded later. */
export function addRoutes(routes: readonly AppRoute[]): void {
  known = [...known, ...routes]
  table = prepared(known)
}

/** The route of an address; a static segment takes precedence over a parameter. */
export function routeOf(pathname: string): AppRoute | undefined {
  const requested = segmentsOf(pathname)
  return table.find(
    ({ segments }) =>
      segments.length === requested.length &&
      segments.every((segment, i) => isParameter(segment) || segment === requested[i]),
  )?.route
}

/** Addresses whose routes are loaded when one of them is opened: the console's, and those of pages of the shop that few visits need. */
const LATE =
  /^\/(console|about\/(?:faq|contact)|center|email-policy|form|login\/find-(id|password)|mypage\/(?:inquiries|inquiry|questions)|plugins|sub\/event|terms|test)(?![^/])/i

/** The part of the table with the routes of such an address, by an address in it. */
export const latePart = (pathname: string): '/console' | '/test' | undefined => {
  const found = LATE.exec(pathname)?.[1]
  return found === undefined ? found : found.toLowerCase() === 'console' ? '/console' : '/test'
}

/** Whether a page exists at this address: menus omit links to others. Until the routes of a late part are loaded, all of its addresses count. */
export function hasRoute(href: string): boolean {
  const pathname = href.split('?')[0] ?? href
  const part = latePart(pathname)
  return routeOf(pathname) !== undefined || (part !== undefined && routeOf(part) === undefined)
}
