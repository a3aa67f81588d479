// The console as the router gets it: its frame and its pages. The shop's first load has none of it.
import type { RouteObject } from 'react-router'
import { RouteErrorPage } from '../RouteErrorPage'
import { pageRoute, toRouteObject, withBoundary } from '../routeObjects'
import { consoleRoutes } from '../routes/consoleRoutes'
import type { AppRoute } from '../routes/route'
import { ConsoleLayout } from './ConsoleLayout'

/** Unknown addresses of the console keep its frame; visitors without access are refused as everywhere in it. */
const UNKNOWN: AppRoute = { path: '/console/*', title: '404', scope: ['console', 'company'] }

export const consoleRouteObjects: RouteObject[] = [
  {
    Component: ConsoleLayout,
    ErrorBoundary: RouteErrorPage,
    children: withBoundary([
      ...consoleRoutes.map(toRouteObject),
      pageRoute(UNKNOWN, () => import('../pages/NotFound')),
    ]),
  },
]
