// Turns the route table into the router: guards before pages, code on demand, titles after arrival.
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { alertReader } from '../api/alerts'
import { checkAccess } from '../api/client'
import { useSession } from '../api/session'
import { imported } from '../lib/imported'
import { knowPages } from '../lib/known'
import { knowRouter } from '../lib/router'
import { Crash } from './errors'
import { refusal, wayOut } from './guards'
import { ShopLayout } from './layouts/ShopLayout'
import { onScreen } from './onScreen'
import { Root, Starting } from './Root'
import { type AppRoute, type PageModule, routes } from './routes'
import { exists } from './table'

knowPages(exists)

async function enter(route: AppRoute, request: Request): Promise<void> {
  await checkAccess()
  const refused = refusal(route, { payload: useSession.getState().payload })
  if (!refused) return
  const { pathname, search } = new URL(request.url)
  alertReader(refused.message)
  throw redirect(wayOut(refused, pathname + search, onScreen()))
}

function pageRoute(route: AppRoute, page: () => Promise<PageModule>): RouteObject {
  return {
    path: route.path,
    loader: async (args: LoaderFunctionArgs) => {
      await enter(route, args.request)
      const { loader } = await imported(page)
      return loader ? loader(args) : null
    },
    lazy: async () => {
      const { Component, ErrorBoundary } = await imported(page)
      return { Component, ErrorBoundary: ErrorBoundary ?? Crash }
    },
  }
}

/** A row of the table as a route: the guard in its loader, the page's code on demand. */
export function toObject(route: AppRoute): RouteObject {
  const { redirect: target, page } = route
  if (page) return pageRoute(route, page)
  if (target === undefined) throw new Error(`${route.path}: neither page nor redirect`)
  return {
    path: route.path,
    loader: ({ params }) => redirect(target.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')),
  }
}

const framed = (layout: AppRoute['layout']): RouteObject[] =>
  routes.filter((route) => route.layout === layout).map(toObject)

/** Whoever manages something and mistypes an address stays in the console; others are refused as everywhere in it. */
const UNKNOWN_TO_CONSOLE: AppRoute = {
  path: '/console/*',
  title: '404',
  layout: 'console',
  scope: ['console', 'company'],
}

/** A page that breaks, or whose code does not come, breaks alone: the frame around it stays. */
const within = (pages: RouteObject[]): RouteObject[] => [{ ErrorBoundary: Crash, children: pages }]

/** The whole app's routes; tests put them into a memory router. */
export const routeObjects: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: Crash,
    HydrateFallback: Starting,
    children: [
      {
        Component: ShopLayout,
        ErrorBoundary: Crash,
        children: within([...framed('shop'), { path: '*', lazy: () => imported(() => import('./pages/NotFound')) }]),
      },
      {
        // The console's frame is no part of the shop's first load.
        lazy: () => imported(() => import('./layouts/ConsoleLayout')),
        ErrorBoundary: Crash,
        children: within([...framed('console'), pageRoute(UNKNOWN_TO_CONSOLE, () => import('./pages/NotFound'))]),
      },
      ...framed('bare'),
    ],
  },
]

export function makeRouter() {
  const router = createBrowserRouter(routeObjects)
  knowRouter(router)
  // Loaded anew where layers were open: they are closed now, and their history entries are taken back (ui/layers.ts).
  if (history.state?.layer) history.go(-history.state.layer)
  return router
}
