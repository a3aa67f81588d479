// The router, for what has to know whether a navigation is under way. It belongs to the app, which nobody may import.
import type { createBrowserRouter } from 'react-router'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

let known: Router | undefined

/** Called once by the app. */
export function registerRouter(router: Router): void {
  known = router
}

/** The app's router; undefined where parts are shown without the app. */
export const router = (): Router | undefined => known
