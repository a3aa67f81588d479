// The page of an order in a router of its own, for tests.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Component as OrderPage } from './index'

export function renderOrderPage(at = '/console/shop/orders/o1') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([{ path: '/console/shop/orders/:orderId', element: <OrderPage /> }], {
    initialEntries: [at],
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}
