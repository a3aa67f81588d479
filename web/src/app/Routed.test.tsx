// What the router says while the first page is drawn in small steps is not lost.
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { Routed } from './Routed'

const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
const acts = environment.IS_REACT_ACT_ENVIRONMENT
afterEach(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = acts
})

/** Takes longer than one step of drawing has. */
function Slow() {
  const end = performance.now() + 20
  while (performance.now() < end);
  return null
}

it('is where the router went while the first page was drawn', async () => {
  // as in the browser: drawn in steps, not at once
  environment.IS_REACT_ACT_ENVIRONMENT = false
  let gone = false
  const router = createMemoryRouter([
    {
      path: '/',
      Component: () => {
        if (!gone) queueMicrotask(() => void router.navigate('/further'))
        gone = true
        return [<Slow key="one" />, <Slow key="two" />, '처음']
      },
    },
    { path: '/further', Component: () => '나중' },
  ])
  // while nobody listens it keeps what it says; the shop listens to it for the titles
  router.subscribe(() => undefined)
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  startTransition(() => root.render(<Routed router={router} />))
  await vi.waitFor(() => expect(place.textContent).toBe('나중'))
  root.unmount()
  place.remove()
})
