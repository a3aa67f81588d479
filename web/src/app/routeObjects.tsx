// Converts the route table to the router's routes: guards before pages, code on demand.
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { checkAccess } from '../api/client'
import { notifyUser } from '../api/notify'
import { useSession } from '../api/session'
import { imported } from '../lib/importWithRetry'
import { currentAddress } from './currentPage'
import { accessDenial, redirectFor } from './guards'
import { RouteErrorPage } from './RouteErrorPage'
import type { AppRoute, PageModule } from './routes/route'

async function enter(route: AppRoute, request: Request): Promise<void> {
  await checkAccess()
  const { pathname, search, searchParams } = new URL(request.url)
  const { payload } = useSession.getState()
  const isGuestOrder =
    route.guestOrder &&
    (await imported(() => import('../api/guestOrders'))).isGuestOrder(searchParams.get('order') ?? '')
  const refused = accessDenial(route, { payload, isGuestOrder })
  if (!refused) return
  notifyUser(refused.message)
  throw redirect(redirectFor(refused, pathname + search, currentAddress()))
}

/** A route with its guard in the loader and the page's code loaded on demand. */
export function pageRoute(route: AppRoute, page: () => Promise<PageModule>): RouteObject {
  return {
    path: route.path,
    loader: async (args: LoaderFunctionArgs) => {
      await enter(route, args.request)
      const { loader } = await imported(page)
      return loader ? loader(args) : null
    },
    lazy: async () => {
      const { Component, ErrorBoundary } = await imported(page)
      return { Component, ErrorBoundary: ErrorBoundary ?? RouteErrorPage }
    },
  }
}

/** A row of the table as a route. */
export function toRouteObject(route: AppRoute): RouteObject {
  const { redirect: target, page } = route
  if (page) return pageRoute(route, page)
  if (target === undefined) throw new Error(`${route.path}: neither page nor redirect`)
  return {
    path: route.path,
    loader: ({ params, request }) =>
      redirect(target.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') + new URL(request.url).search),
  }
}

/** Pages in their frame: a page that fails, or whose code fails to load, leaves the frame around it intact. */
export const withBoundary = (pages: RouteObject[]): RouteObject[] => [
  { ErrorBoundary: RouteErrorPage, children: pages },
]
