// A position in the shop that does not exist is said to be absent inside the page, with the positions that exist.
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as BannersAtPosition } from '../banners/place'
import { Component as Displays } from '../displays'
import { Component as ReviewDisplays } from '../review-displays'

withServer()

it.each([
  ['display', '진열', Displays, 7],
  ['review', '후기 진열', ReviewDisplays, 3],
] as const)('an unknown %s position', async (path, title, Page, count) => {
  const asked: string[] = []
  server.use(
    http.get('*/api/console/*', ({ request }) => {
      asked.push(request.url)
      return HttpResponse.json({}, { status: 400 })
    }),
  )
  const { container } = renderPage(<Page />, `/console/main/${path}/NOPE`, undefined, `/console/main/${path}/:code`)
  expect(await screen.findByText('코드가 NOPE인 진열 위치가 없습니다.')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  expect(screen.getAllByRole('link')).toHaveLength(count)
  expect(asked).toEqual([])
  expect(await a11yViolations(container)).toEqual([])
})

it('a banner may have a position of its own', async () => {
  server.use(
    http.get('*/api/console/banners', () => HttpResponse.json({ summary: { totalCount: 0 }, banners: [] })),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
  )
  renderPage(<BannersAtPosition />, '/console/main/banner/OWN', undefined, '/console/main/banner/:code')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('자리별 배너: OWN')
})
