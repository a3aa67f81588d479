// Questions to the route table.
import type { Scope } from '../api/session'
import { ko } from '../i18n/ko'
import type { Thing } from '../lib/title'
import { type AppRoute, CONSOLE_GROUPS, routes } from './routes'

/** An address is the same in whatever case it is written. */
const partsOf = (path: string): string[] => path.toLowerCase().split('/').filter(Boolean)
const isParameter = (part: string): boolean => part.startsWith(':')
const parameters = (parts: string[]): number => parts.filter(isParameter).length

/** The rows with their paths taken apart, once for all the links that ask about them; static parts win over parameters. */
const table = routes
  .map((route) => ({ route, parts: partsOf(route.path) }))
  .sort((a, b) => parameters(a.parts) - parameters(b.parts))

/** The row that shows this address; a static part wins over a parameter. */
export function routeOf(pathname: string): AppRoute | undefined {
  const asked = partsOf(pathname)
  return table.find(
    ({ parts }) => parts.length === asked.length && parts.every((part, i) => isParameter(part) || part === asked[i]),
  )?.route
}

/** Does a page stand at this address? Menus leave out what does not exist yet. */
export const exists = (href: string): boolean => routeOf(href.split('?')[0] ?? href) !== undefined

/** May a bearer of these scopes see the row? */
export const allows = (route: AppRoute, scopes: readonly Scope[]): boolean =>
  route.scope === undefined || route.scope.some((scope) => scopes.includes(scope))

/** The side menu for a bearer of these scopes, by group. */
export function consoleMenu(scopes: readonly Scope[]): { group: string; items: AppRoute[] }[] {
  return Object.entries(CONSOLE_GROUPS)
    .map(([key, group]) => ({ group, items: routes.filter((route) => route.menu === key && allows(route, scopes)) }))
    .filter(({ items }) => items.length > 0)
}

/** The rows on the way to an address: `/console` › `/console/shop/purchases/all`. */
export function trail(pathname: string): { label: string; to: string }[] {
  const own = routeOf(pathname)
  if (own?.under) return [...trail(own.under), { label: own.title, to: pathname }]
  const parts = pathname.split('/').filter(Boolean)
  return parts.flatMap((_, i) => {
    const to = `/${parts.slice(0, i + 1).join('/')}`
    const route = routeOf(to)
    return route?.page ? [{ label: route.title, to }] : []
  })
}

/** The same, with the name of what the page is about: one thing of a list at `?id=` has no row, and a row with a parameter no name. */
export function trailTo({ pathname, search }: { pathname: string; search: string }, { name, under }: Thing) {
  if (name && under) return [...trail(under), { label: name, to: pathname + search }]
  const steps = trail(pathname)
  const last = steps.at(-1)
  if (!name || !last) return steps
  if (new URLSearchParams(search).has('id')) return [...steps, { label: name, to: pathname + search }]
  const isNamed = routeOf(pathname)?.path.split('/').some(isParameter) ?? false
  return isNamed ? [...steps.slice(0, -1), { ...last, label: name }] : steps
}

/** Every page of the console a bearer of these scopes can go to by name: the menu's, and wherever something new is made. */
export function consolePages(scopes: readonly Scope[]): { to: string; title: string; group: string }[] {
  return routes
    .filter((route) => route.layout === 'console' && route.page && allows(route, scopes))
    .filter((route) => route.first !== undefined || !route.path.includes(':'))
    .flatMap((route) => {
      const to = route.first ?? route.path
      const group = route.menu ? CONSOLE_GROUPS[route.menu] : ''
      const page = { to, title: route.title, group }
      return route.makes ? [page, { to: `${to}?id=new`, title: ko.palette.make(route.title), group }] : [page]
    })
}
