// Searched terms and clicked tags, by period.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../../api/session'
import { a11yViolations } from '../../../testing/axe'
import { renderPage } from '../../../testing/render'
import { server, withServer } from '../../../testing/server'
import { daysAgo } from '../../useListState'
import { Component as Page } from './index'

withServer()

let logs: { _id: string; count: number; diff?: number }[]
let asked: { query: Record<string, string>; limit: string | null }[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  asked = []
  logs = [
    { _id: '자전거', count: 1234, diff: 2 },
    { _id: '헬멧', count: 34 },
    { _id: '장갑', count: 34, diff: 0 },
    { _id: '전조등', count: 1, diff: 0 },
  ]
  server.use(
    http.get('*/api/v1/shop/logs', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push({ query: Object.fromEntries(searchParams), limit: request.headers.get('limit') })
      return HttpResponse.json({ logs })
    }),
  )
})

const month = `${daysAgo(29)},${daysAgo(0)}`

it('ranks the searched terms of a period, with the change of each rank', async () => {
  const { container } = renderPage(<Page />, '/console/analytics/tags')
  const table = within(await screen.findByRole('table', { name: '검색어·태그 통계' }))
  const [, first, second] = table.getAllByRole('row')
  for (const said of ['자전거', '1', '상승 2', '1,234명'])
    expect(within(first as HTMLElement).getByText(said)).toBeTruthy()
  for (const said of ['헬멧', '2', '신규 진입', '34명'])
    expect(within(second as HTMLElement).getByText(said)).toBeTruthy()
  const places = table
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent)
  expect(places).toEqual(['1', '2', '2', '4'])
  expect(asked).toEqual([{ query: { type: 'SEARCH', createdAt: month }, limit: '100' }])
  expect(await a11yViolations(container)).toEqual([])
})

it('shows the tags of a period in pages, and a message when there were none', async () => {
  logs = Array.from({ length: 21 }, (_, at) => ({ _id: `태그${at + 1}`, count: 21 - at, diff: 0 }))
  const { router } = renderPage(<Page />, '/console/analytics/tags')
  const table = within(await screen.findByRole('table', { name: '검색어·태그 통계' }))
  expect(table.getByText('태그20')).toBeTruthy()
  expect(table.queryByText('태그21')).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: '태그' }))
  await expect.poll(() => asked.at(-1)?.query).toEqual({ type: 'TAG', createdAt: month })
  expect(router.state.location.search).toBe('?type=TAG')
  logs = []
  await userEvent.click(screen.getByRole('radio', { name: '최근 7일' }))
  expect(await screen.findByText('이 기간에 클릭된 태그가 없습니다.')).toBeTruthy()
  expect(asked.at(-1)?.query).toEqual({ type: 'TAG', createdAt: `${daysAgo(6)},${daysAgo(0)}` })
})
