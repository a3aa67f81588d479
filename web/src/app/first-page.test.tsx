// The first page of a visit: drawn once, although the router goes on while it is drawn.
import { startTransition, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, Outlet, RouterProvider, ScrollRestoration } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { useCurrentPage } from './currentPage'

const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
const acts = environment.IS_REACT_ACT_ENVIRONMENT
afterEach(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = acts
  sessionStorage.clear()
})

/** Takes longer than one step of drawing has. */
function Slow() {
  const end = performance.now() + 20
  while (performance.now() < end);
  return null
}

/** As main.tsx does: in steps, with nobody else listening to the router. */
function draw(router: ReturnType<typeof createMemoryRouter>) {
  environment.IS_REACT_ACT_ENVIRONMENT = false
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  startTransition(() => root.render(<RouterProvider router={router} />))
  const away = () => {
    root.unmount()
    place.remove()
  }
  return { place, away }
}

function Frame() {
  useCurrentPage()
  return [<Outlet key="page" />, <ScrollRestoration key="scroll" />]
}

it('is where the router went while it was drawn', async () => {
  let gone = false
  const router = createMemoryRouter([
    {
      Component: Frame,
      children: [
        {
          path: '/',
          Component: () => {
            if (!gone) queueMicrotask(() => void router.navigate('/further'))
            gone = true
            return [<Slow key="one" />, <Slow key="two" />, '처음']
          },
        },
        { path: '/further', Component: () => '나중' },
      ],
    },
  ])
  const { place, away } = draw(router)
  await vi.waitFor(() => expect(place.textContent).toBe('나중'))
  expect(document.title).toBe('404 | 장부')
  away()
})

it('is drawn once, and back where it was scrolled to', async () => {
  sessionStorage.setItem('react-router-scroll-positions', JSON.stringify({ default: 120 }))
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue()
  const drawn = vi.fn()
  const router = createMemoryRouter([
    {
      Component: Frame,
      children: [
        {
          path: '/',
          loader: () => null,
          Component: () => {
            useEffect(drawn, [])
            return '처음'
          },
        },
      ],
    },
  ])
  // A memory router names its first entry anew each time; a browser's keeps its name.
  router.state.location.key = 'default'
  await vi.waitFor(() => expect(router.state.initialized).toBe(true))
  const { place, away } = draw(router)
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 120))
  expect(place.textContent).toBe('처음')
  expect(drawn).toHaveBeenCalledTimes(1)
  away()
  scrolled.mockRestore()
})
