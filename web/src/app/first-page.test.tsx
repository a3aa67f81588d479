// The first page of a visit is rendered once, even if the router navigates during the render.
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

/** Takes longer than one time slice of rendering. */
function Slow() {
  const end = performance.now() + 20
  while (performance.now() < end);
  return null
}

/** Like main.tsx: concurrent rendering, without other subscribers of the router. */
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

it('is the page the router navigated to during the render', async () => {
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
  expect(document.title).toBe('페이지를 찾을 수 없습니다 | 장부')
  away()
})

it('is rendered once, at the restored scroll position', async () => {
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
  // A memory router gives its first entry a new key each time; a browser's keeps its key.
  router.state.location.key = 'default'
  await vi.waitFor(() => expect(router.state.initialized).toBe(true))
  const { place, away } = draw(router)
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 120))
  expect(place.textContent).toBe('처음')
  expect(drawn).toHaveBeenCalledTimes(1)
  away()
  scrolled.mockRestore()
})
