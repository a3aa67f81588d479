// The router of the app. The console's routes come with its code, when an address of it is opened.
import { createBrowserRouter, type PatchRoutesOnNavigationFunction, type RouteObject } from 'react-router'
import { imported } from '../lib/importWithRetry'
import { registerRouteLookup } from '../lib/routeRegistry'
import { registerRouter } from '../lib/router'
import { ShopLayout } from './layouts/ShopLayout'
import { Root, Starting } from './Root'
import { RouteErrorPage } from './RouteErrorPage'
import { toRouteObject, withBoundary } from './routeObjects'
import { shopRoutes } from './routes/shopRoutes'
import { hasRoute, latePart } from './routeTable'

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

/** Loads the late routes of an address; routes that exist already are not added twice. */
export const patchRoutesOnNavigation: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  const part = latePart(path)
  if (part === '/console') patch(ROOT, (await imported(() => import('./console'))).consoleRouteObjects)
  else if (part) patch(SHOP, (await imported(() => import('./late'))).lateRouteObjects)
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
