// Renders a page in a test, with router and query cache around it.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { AppQueryClient } from '../api/queryClient'

const quietClient = () =>
  new AppQueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
  })

/** Renders `page` at `at`, by default at exactly this path; any other address shows `went to <address>`. Returns the router and the result of `render`. */
export function renderPage(page: ReactNode, at = '/', client = quietClient(), path = at.split(/[?#]/)[0] ?? at) {
  const router = createMemoryRouter(
    [
      { path, element: page },
      { path: '*', element: <p>went to</p> },
    ],
    { initialEntries: [at] },
  )
  const screen = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { router, client, ...screen }
}
