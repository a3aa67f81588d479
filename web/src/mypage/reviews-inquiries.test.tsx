// Lists of the member's own items show the product, not the author.
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../api/session'
import { renderPage } from '../testing/render'
import { server, withServer } from '../testing/server'
import { Component as Inquiries } from './inquiries'
import { Component as Reviews } from './reviews'

withServer()

const said = { _product: 'p1', name: '바람 로드 105', subject: '무난합니다', content: '그렇습니다', mine: true }
const summary = { totalCount: 1 }

beforeEach(() => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/reviews', () => {
      const review = {
        ...said,
        _id: 'r1',
        star: 3,
        images: [],
        isBest: false,
        shows: true,
        createdAt: '2026-09-11T00:00:00Z',
      }
      return HttpResponse.json({ summary, reviews: [review] })
    }),
    http.get('*/api/v1/me/reviews/writable', () => HttpResponse.json({ summary, purchases: [], points: {} })),
    http.get('*/api/v1/me/inquires', () => {
      const inquire = {
        ...said,
        _id: 'i1',
        state: 'ANSWER_AWAITING',
        readable: true,
        secret: true,
        createdAt: '2026-09-04T00:00:00Z',
      }
      return HttpResponse.json({ summary, inquires: [inquire] })
    }),
  )
})

it("the member's own review", async () => {
  renderPage(<Reviews />, '/mypage/reviews')
  const review = await screen.findByRole('article')
  expect(review.textContent).toMatch(/^바람 로드 105/)
  expect(review.textContent).not.toContain('내 후기')
})

it("the member's own inquiry, before it is opened", async () => {
  renderPage(<Inquiries />, '/mypage/inquiries')
  const line = (await screen.findByText('무난합니다')).closest('summary')
  expect(line?.textContent).toContain('바람 로드 105 · 2026. 09. 04.')
})
