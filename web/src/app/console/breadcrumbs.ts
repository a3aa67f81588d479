// The breadcrumbs above a page of the console, from the route table and the page's own name.
import type { PageContext } from '../../lib/pageContext'
import { routeOf } from '../routeTable'

type Step = { label: string; to: string }

/** The routes leading to an address: `/console` › `/console/shop/purchases/all`. */
export function breadcrumbs(pathname: string): Step[] {
  const own = routeOf(pathname)
  if (own?.parent) return [...breadcrumbs(own.parent), { label: own.title, to: pathname }]
  const segments = pathname.split('/').filter(Boolean)
  return segments.flatMap((_, i) => {
    const to = `/${segments.slice(0, i + 1).join('/')}`
    const route = routeOf(to)
    return route?.page ? [{ label: route.title, to }] : []
  })
}

/** Adds the name of the page's content: a record at `?id=` has no route, and a route with a parameter no name of its own. */
export function breadcrumbsOfPage(
  { pathname, search }: { pathname: string; search: string },
  { name, under }: PageContext,
): Step[] {
  if (name && under) return [...breadcrumbs(under), { label: name, to: pathname + search }]
  const steps = breadcrumbs(pathname)
  const last = steps.at(-1)
  if (!name || !last) return steps
  if (new URLSearchParams(search).has('id')) return [...steps, { label: name, to: pathname + search }]
  const isNamed = routeOf(pathname)?.path.includes('/:') ?? false
  return isNamed ? [...steps.slice(0, -1), { ...last, label: name }] : steps
}
