// The router of the app. The routes of the console and of the customer centre are loaded when an address of theirs is opened.
import { createBrowserRouter, type PatchRoutesOnNavigationFunction, type RouteObject } from 'react-router'
import { imported } from '../lib/importWithRetry'
import { registerRouteLookup } from '../lib/routeRegistry'
import { registerRouter } from '../lib/router'
import { ShopLayout } from './layouts/ShopLayout'
import { Root, Starting } from './Root'
import { RouteErrorPage } from './RouteErrorPage'
import { toRouteObject, withBoundary } from './routeObjects'
import { shopRoutes } from './routes/shopRoutes'
import { hasRoute, isCenterPath, isConsolePath } from './routeTable'

registerRouteLookup(hasRoute)

const ROOT = 'root'
const SHOP = 'shop'

/** The routes known from the start; tests put them into a memory router. */
export const routeObjects: RouteObject[] = [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: RouteErrorPage,
    HydrateFallback: Starting,
    children: [
      {
        id: SHOP,
        Component: ShopLayout,
        ErrorBoundary: RouteErrorPage,
        children: withBoundary([
          ...shopRoutes.map(toRouteObject),
          { path: '*', lazy: () => imported(() => import('./pages/NotFound')) },
        ]),
      },
    ],
  },
]

/** Loads the routes of such an address; routes that exist already are not added twice. */
export const patchRoutesOnNavigation: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  if (isCenterPath(path)) {
    const { centerRoutes } = await imported(() => import('./routes/centerRoutes'))
    patch(SHOP, withBoundary(centerRoutes.map(toRouteObject)))
  }
  if (!isConsolePath(path)) return
  const { consoleRouteObjects } = await imported(() => import('./console'))
  patch(ROOT, consoleRouteObjects)
}

/** The router's key for entries without one is `default`, which would restore another page's scroll position on a typed address. */
function nameEntry(): void {
  if (history.state?.key === undefined)
    history.replaceState({ ...history.state, key: String(performance.timeOrigin) }, '')
}

export function makeRouter() {
  nameEntry()
  const router = createBrowserRouter(routeObjects, { patchRoutesOnNavigation })
  registerRouter(router)
  // Reloaded while layers were open: they are closed now, and their history entries are removed (ui/layers.ts).
  if (history.state?.layer) history.go(-history.state.layer)
  return router
}
