// A pretend server for tests of the client and of pages: `server.use(http.get('*/api/…', …))`.
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const server = setupServer()

/** Runs it around the tests of a file; a call nobody answers fails the test. */
export function withServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
}
