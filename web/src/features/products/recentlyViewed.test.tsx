// Recently viewed products of a member: what is read beside the page that adds to them.
import { screen } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { useRecents, useRememberRecent } from './recentlyViewed'

withServer()

function Sidebar() {
  const { recents } = useRecents()
  return <p>{recents.map(({ name }) => name).join(', ')}</p>
}

/** A product page, whose sidebar comes before or after the write begins. */
function Page({ isLate }: { isLate: boolean }) {
  const remember = useRememberRecent()
  const [stands, setStands] = useState(!isLate)
  useEffect(() => {
    remember({ _product: 'p2', name: '둘' })
    setStands(true)
  }, [remember])
  return stands && <Sidebar />
}

it.each([
  { isLate: true, reads: 1 },
  { isLate: false, reads: 2 },
])('hold the product just added, with $reads read where the sidebar is late: $isLate', async ({ isLate, reads }) => {
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
      return HttpResponse.json({})
    }),
  )
  renderPage(<Page isLate={isLate} />, '/')
  expect(await screen.findByText('둘, 하나')).toBeTruthy()
  expect(sent).toBe(reads)
})
