// The app's router for code that needs its navigation state but may not import the app.
import type { createBrowserRouter } from 'react-router'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

let known: Router | undefined

let watch: ((event: PopStateEvent) => void) | undefined

// Added before any router is created: browsers call listeners on `window` itself in the order they were added, capturing ones,
// too.
window.addEventListener('popstate', (event) => watch?.(event))

/** Called for every history move before the router, and may hide it from the router (`stopImmediatePropagation`). */
export function watchHistory(onPop: (event: PopStateEvent) => void): void {
  watch = onPop
}

/** Registered once by the app. */
export function registerRouter(router: Router): void {
  known = router
}

/** Undefined in tests that render without the app. */
export const router = (): Router | undefined => known
