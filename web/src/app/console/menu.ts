// The console's side menu and the pages of its command palette, filtered by the scopes of a token.
import type { Scope } from '../../api/session'
import { crudWords } from '../../console/crud/words'
import { CONSOLE_GROUPS, consoleRoutes } from '../routes/consoleRoutes'
import type { AppRoute } from '../routes/route'

const allows = (route: AppRoute, scopes: readonly Scope[]): boolean =>
  route.scope === undefined || route.scope.some((scope) => scopes.includes(scope))

/** The side menu by group; groups without an allowed page are omitted. */
export function consoleMenu(scopes: readonly Scope[]): { group: string; items: AppRoute[] }[] {
  return Object.entries(CONSOLE_GROUPS)
    .map(([key, group]) => ({
      group,
      items: consoleRoutes.filter((route) => route.menuGroup === key && allows(route, scopes)),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Pages to open by name: the menu's, and the forms for new records. */
export function consolePages(scopes: readonly Scope[]): { to: string; title: string; group: string }[] {
  return consoleRoutes
    .filter((route) => route.page && allows(route, scopes))
    .filter((route) => route.menuHref !== undefined || !route.path.includes(':'))
    .flatMap((route) => {
      const to = route.menuHref ?? route.path
      const group = route.menuGroup ? CONSOLE_GROUPS[route.menuGroup] : ''
      const page = { to, title: route.title, group }
      return route.canCreate ? [page, { to: `${to}?id=new`, title: crudWords.make(route.title), group }] : [page]
    })
}
