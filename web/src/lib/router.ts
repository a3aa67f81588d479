// The app's router for code that needs its navigation state but may not import the app.
import type { createBrowserRouter } from 'react-router'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

let known: Router | undefined

/** Registered once by the app. */
export function registerRouter(router: Router): void {
  known = router
}

/** Undefined in tests that render without the app. */
export const router = (): Router | undefined => known
