// The way out of advertising: at a click, without signing in, and what it says.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Unsubscribe } from './index'

withServer()

const PAGE = '/center/unsubscribe/:userId'

it('withdraws the consent at a click and says when', async () => {
  const asked: string[] = []
  server.use(
    http.post('*/api/v1/users/unsubscribe/:id/:token', ({ params }) => {
      asked.push(`${params['id']} ${params['token']}`)
      return HttpResponse.json({ withdrawnAt: '2026-11-27T01:00:00Z' })
    }),
  )
  renderPage(<Unsubscribe />, '/center/unsubscribe/m1#secret', undefined, PAGE)
  expect(asked).toEqual([])
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '광고 수신 거부하기' }))
  expect((await screen.findByRole('status')).textContent).toBe(
    '2026. 11. 27.에 장부상회의 광고성 정보 수신 동의를 철회했습니다.',
  )
  expect(asked).toEqual(['m1 secret'])
})

it('says what is wrong with a link', async () => {
  server.use(
    http.post('*/api/v1/users/unsubscribe/:id/:token', () =>
      HttpResponse.json({ error: { code: 'link_invalid', message: '올바르지 않은 링크입니다.' } }, { status: 409 }),
    ),
  )
  const { unmount } = renderPage(<Unsubscribe />, '/center/unsubscribe/m1#wrong', undefined, PAGE)
  await userEvent.click(screen.getByRole('button', { name: '광고 수신 거부하기' }))
  expect(await screen.findByText('올바르지 않은 링크입니다.')).toBeTruthy()
  unmount()
  renderPage(<Unsubscribe />, '/center/unsubscribe/m1', undefined, PAGE)
  expect(screen.getByRole('alert').textContent).toContain('주소가 완전하지 않습니다')
})
