// Deleting one record: it is deleted at once, whatever the user does next, and can be restored.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { brand } from '../brands/resource'
import { ResourcePage } from './ResourcePage'

withServer()

const record = { _id: 'b1', version: 4, removed: false, name: '한강', code: 'hangang', shows: true, index: 0 }
/** The writes, with the token of each. */
let sent: { what: string; by: string | null; body?: unknown }[]

beforeEach(() => {
  sent = []
  beginSession({
    refreshToken: 'r',
    accessToken: 'token-of-1',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  server.use(
    http.get('*/api/console/shop/brands/b1/history', () => HttpResponse.json({ events: [] })),
    http.get('*/api/console/shop/brands/b1', () => HttpResponse.json({ brand: record })),
    http.get('*/api/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
    http.delete('*/api/console/shop/brands/b1', ({ request }) => {
      sent.push({ what: 'delete', by: request.headers.get('Authorization') })
      return HttpResponse.json({ brand: { ...record, version: 5, removed: true } })
    }),
    http.post('*/api/console/shop/brands/b1/restore', async ({ request }) => {
      sent.push({ what: 'restore', by: request.headers.get('Authorization'), body: await request.json() })
      return HttpResponse.json({ brand: { ...record, version: 6 } })
    }),
  )
})
afterEach(() => {
  sonner.dismiss()
  endSession()
})

async function remove() {
  renderPage(
    <>
      <ResourcePage def={brand} id="b1" />
      <ConfirmHost />
      <Toasts />
    </>,
    '/console/shop/brands',
  )
  await userEvent.click(await screen.findByRole('button', { name: '삭제' }))
  const question = within(await screen.findByRole('alertdialog', { name: /한강.*삭제할까요/ }))
  await userEvent.click(question.getByRole('button', { name: '삭제' }))
}

it('is sent before the user can log out, with their token', async () => {
  await remove()
  endSession()
  await waitFor(() => expect(sent).toEqual([{ what: 'delete', by: 'Bearer token-of-1' }]))
})

it('can be restored, as the deleted version', async () => {
  await remove()
  fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
  await waitFor(() => expect(sent[1]).toEqual({ what: 'restore', by: 'Bearer token-of-1', body: { version: 5 } }))
})
