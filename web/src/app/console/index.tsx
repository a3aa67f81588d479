// The console's routes: its frame and its pages. Not part of the shop's first load.
import type { RouteObject } from 'react-router'
import { RouteErrorPage } from '../RouteErrorPage'
import { pageRoute, toRouteObject, withBoundary } from '../routeObjects'
import { consoleRoutes } from '../routes/consoleRoutes'
import type { AppRoute } from '../routes/route'
import { ConsoleLayout } from './ConsoleLayout'

/** Unknown addresses of the console keep its frame; visitors without access are refused as on its other pages. */
const UNKNOWN: AppRoute = { path: '/console/*', title: '페이지를 찾을 수 없습니다', scope: ['console', 'company'] }

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
