// What was granted tells the last day it is good.
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import type { PointEntry } from '../../api/types'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Points } from './index'

withServer()

it('that end at midnight are good until the day before', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const granted = {
    _id: 'x',
    kind: 'INCREASE',
    reason: '가입 축하 적립금',
    amounts: 10_00,
    amountLeft: 10_00,
    createdAt: '2026-08-23T00:00:00Z',
    expiresAt: '2027-08-23T15:00:00Z',
  } satisfies Partial<PointEntry>
  const summary = { totalCount: 1, available: 10_00, expected: 0, expiringSoon: 0 }
  server.use(http.get('*/api/v1/me/points', () => HttpResponse.json({ summary, points: [granted] })))
  renderPage(<Points />, '/mypage/points')
  expect((await screen.findByText(/까지/)).textContent).toBe('2027. 08. 23.까지 · 남은 금액 $10.00')
})
