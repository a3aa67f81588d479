// A page that ends the session, within the app's frame.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { queryClient } from '../api/queryClient'
import { useSession } from '../api/session'
import { useLogoutOnArrival } from '../features/login/logoutOnArrival'
import { ConfirmHost } from '../ui/confirm'
import { server } from './server'

/** Member paths requested without a login from now on. */
export function askedAsGuest(): string[] {
  const asked: string[] = []
  server.events.on('request:start', ({ request }) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/v1/me/') && !request.headers.has('Authorization')) asked.push(pathname)
  })
  return asked
}

function Frame() {
  useLogoutOnArrival()
  return (
    <>
      <Outlet />
      <ConfirmHost />
    </>
  )
}

/** Renders `page` at `path`; any other address shows `다른 페이지`. Returns the router. */
export function renderPages(path: string, page: ReactNode) {
  // Like the app: another user must not see data of the one before.
  useSession.subscribe((now, before) => {
    if (now.refreshToken !== before.refreshToken) queryClient.clear()
  })
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          { path, element: page },
          { path: '*', element: <h1>다른 페이지</h1> },
        ],
      },
    ],
    { initialEntries: [path] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}
