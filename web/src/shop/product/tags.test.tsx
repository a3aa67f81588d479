// Tags of a product lead to a search, and are counted as tags.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Tags } from './Tags'

withServer()

it('leads to a search for the tag and tells the server it was pressed', async () => {
  const noted: unknown[] = []
  server.use(
    http.post('*/api/v1/shop/logs', async ({ request }) => {
      noted.push(await request.json())
      return HttpResponse.json({ log: { _id: '출퇴근', type: 'TAG' } }, { status: 201 })
    }),
  )
  const { router } = renderPage(<Tags tags={['출퇴근', '경량']} />, '/shop/products/p1')
  await userEvent.click(screen.getByRole('link', { name: '#출퇴근' }))
  expect(router.state.location.pathname + decodeURIComponent(router.state.location.search)).toBe(
    '/search?searchValue=출퇴근',
  )
  await expect.poll(() => noted).toEqual([{ type: 'TAG', value: '출퇴근' }])
})

it('shows nothing where there are none', () => {
  renderPage(<Tags tags={[]} />, '/shop/products/p1')
  expect(screen.queryByRole('list', { name: '태그' })).toBeNull()
})
