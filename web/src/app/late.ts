// The routes that are loaded later, for the router.
import { toRouteObject, withBoundary } from './routeObjects'
import { lateRoutes } from './routes/lateRoutes'

export const lateRouteObjects = withBoundary(lateRoutes.map(toRouteObject))
