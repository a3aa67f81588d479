// Recently viewed products of a member: reads next to the page that adds to them.
import { screen } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/queryClient'
import { beginSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { useRecents, useRememberRecent } from './recentlyViewed'

withServer()

function Sidebar() {
  const { recents } = useRecents()
  return <p>{recents.map(({ name }) => name).join(', ')}</p>
}

const PRODUCT = { _product: 'p2', name: '둘' }

/** A product page, whose product is known at once or loaded first. Its sidebar is mounted with it, or later. */
function Page({ isRead, isLate }: { isRead: boolean; isLate: boolean }) {
  const [known, setKnown] = useState(!isRead)
  const [stands, setStands] = useState(!isLate)
  useRememberRecent(known ? PRODUCT : undefined, !known)
  useEffect(() => {
    setStands(true)
    const timer = setTimeout(() => setKnown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return stands && <Sidebar />
}

it.each([
  { isRead: false, isLate: true, reads: 0 },
  { isRead: true, isLate: true, reads: 0 },
  { isRead: false, isLate: false, reads: 1 },
])('include the product just added, with $reads read ($isRead, $isLate)', async ({ isRead, isLate, reads }) => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const watches = [{ product: { _id: 'p1', name: '하나', thumb: {} } }]
  let sent = 0
  server.use(
    http.get('*/api/v1/me/watches', () => {
      sent += 1
      return HttpResponse.json({ watches })
    }),
    http.post('*/api/v1/me/watches', async () => {
      await delay(80)
      watches.unshift({ product: { _id: 'p2', name: '둘', thumb: {} } })
      return HttpResponse.json({ watches })
    }),
  )
  queryClient.clear()
  renderPage(<Page isRead={isRead} isLate={isLate} />, '/', queryClient)
  expect(await screen.findByText('둘, 하나')).toBeTruthy()
  expect(sent).toBe(reads)
})

it('are read without further waiting if the product cannot be loaded', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const watches = [{ product: { _id: 'p1', name: '하나', thumb: {} } }]
  server.use(http.get('*/api/v1/me/watches', () => HttpResponse.json({ watches })))
  function Gone() {
    const [isPending, setPending] = useState(true)
    useRememberRecent(undefined, isPending)
    useEffect(() => setPending(false), [])
    return <Sidebar />
  }
  renderPage(<Gone />, '/')
  expect(await screen.findByText('하나')).toBeTruthy()
})
