// The pages of a router, from the first one on.
import { useLayoutEffect, useState } from 'react'
import { RouterProvider } from 'react-router'
import type { makeRouter } from './router'

/**
 * The page the router is at. What draws it listens to the router only once it stands, which a first page drawn in small steps
 * does a while after it was begun: if the router went on meanwhile, the page is drawn anew.
 */
export function Routed({ router }: { router: ReturnType<typeof makeRouter> }) {
  const [begun] = useState(router.state)
  const [isAnew, drawAnew] = useState(false)
  useLayoutEffect(() => {
    if (router.state !== begun) drawAnew(true)
  }, [router, begun])
  return <RouterProvider key={isAnew ? 'anew' : 'first'} router={router} />
}
