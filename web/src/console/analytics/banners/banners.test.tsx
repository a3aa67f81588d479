// Clicks on banners and popups: by period, with details of each.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { components } from '../../../api/schema.gen'
import { beginSession } from '../../../api/session'
import { a11yViolations } from '../../../testing/axe'
import { renderPage } from '../../../testing/render'
import { server, withServer } from '../../../testing/server'
import { daysAgo } from '../../useListState'
import { Component as Page } from './index'

withServer()

let answer: components['schemas']['BannerAnalytics']
let asked: string[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  asked = []
  answer = {
    summary: { totalCount: 2, clicks: 1234 },
    banners: [
      {
        subject: '_slide',
        _id: 's1',
        count: 1200,
        days: [
          { date: '2026-11-19', count: 500 },
          { date: '2026-11-20', count: 700 },
        ],
        name: '봄을 달리는 로드',
        code: 'MAIN_1',
        device: 'PC',
        image: { url: '/pictures/BK-ROAD-01.webp', alt: null },
      },
      { subject: '_popup', _id: 'p1', count: 34, days: [{ date: '2026-11-20', count: 34 }] },
    ],
  }
  server.use(
    http.get('*/api/console/analytics/banners', ({ request }) => {
      asked.push(new URL(request.url).searchParams.toString())
      return HttpResponse.json(answer)
    }),
  )
})

it('shows how often each was clicked, including deleted ones', async () => {
  const { container } = renderPage(<Page />, '/console/analytics/banners')
  const table = within(await screen.findByRole('table', { name: '배너 통계' }))
  expect(table.getByText('봄을 달리는 로드')).toBeTruthy()
  expect(table.getByText('메인 1 · PC')).toBeTruthy()
  expect(table.getByText('2026. 11. 20. 700회')).toBeTruthy()
  expect(table.getByText('삭제된 배너')).toBeTruthy()
  expect(screen.getByText('총 1,234회 클릭')).toBeTruthy()
  expect(asked).toEqual([`from=${daysAgo(29)}&to=${daysAgo(0)}`])
  expect(await a11yViolations(container)).toEqual([])
})

it('is limited to a period, and shows a message when there were no clicks', async () => {
  answer = { summary: { totalCount: 0, clicks: 0 }, banners: [] }
  renderPage(<Page />, '/console/analytics/banners')
  expect(await screen.findByText('이 기간에 클릭된 배너가 없습니다.')).toBeTruthy()
  expect(screen.queryByText(/모두 0번/)).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: '최근 7일' }))
  await expect.poll(() => asked.at(-1)).toBe(`from=${daysAgo(6)}&to=${daysAgo(0)}`)
})
