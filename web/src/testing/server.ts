// A mock server for tests of the client and of pages: `server.use(http.get('*/api/…', …))`.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

// Default handlers for ended sessions, payment settings, the orders beside one and an alarm stream without events; tests about those
// override them.
export const server = setupServer(
  http.get(
    '*/api/v1/me/alarms/stream',
    () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
  ),
  http.delete('*/api/auth/refreshToken', () => new HttpResponse(null, { status: 204 })),
  http.get('*/api/console/shop/orders/:id/neighbours', () => HttpResponse.json({ previous: null, next: null })),
  http.get('*/api/plugins/nicepayments/config', () =>
    HttpResponse.json({ config: { methods: ['card', 'bank', 'vbank', 'cellphone'], banks: [] } }),
  ),
)

/** Runs it around the tests of a file; an unhandled request fails the test. */
export function withServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
}
