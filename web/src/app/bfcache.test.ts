// A page restored from the back-forward cache is refreshed.
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { beginSession, useSession } from '../api/session'
import { refreshOnBfcacheRestore } from './bfcache'

it('reads data and session again, but only after a restore', () => {
  const client = new QueryClient()
  client.setQueryData(['get', '/api/v1/me/carts'], { carts: [] })
  const isOld = () => client.getQueryState(['get', '/api/v1/me/carts'])?.isInvalidated
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  refreshOnBfcacheRestore(client)

  const shown = (persisted: boolean) => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
  shown(false)
  expect(isOld()).toBe(false)

  // The user logged out on the next page.
  localStorage.setItem('jangbu.session', JSON.stringify({ state: {}, version: 0 }))
  shown(true)
  expect(isOld()).toBe(true)
  expect(useSession.getState().payload).toBeUndefined()
})
