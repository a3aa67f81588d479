// The routes of the event pages, for the router.
import { toRouteObject, withBoundary } from './routeObjects'
import { eventRoutes } from './routes/eventRoutes'

export const lateRouteObjects = withBoundary(eventRoutes.map(toRouteObject))
