// My page shows benefits, pending ones and expiring ones. A company's also shows its documents; a person's does not request them.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession, type UserType } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Component as Dashboard } from './index'

withServer()

let asked: string[]

beforeEach(() => {
  asked = []
  const none = { summary: { totalCount: 0, available: 0, expected: 0, expiringSoon: 0, counts: {} } }
  const document = {
    _id: 'd1',
    _user: 'u',
    contentType: 'image/webp',
    size: 348_900,
    uploadedAt: '2026-03-01T16:00:00Z',
  }
  server.use(
    http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { _id: 'u', nickname: '바람' } })),
    http.get('*/api/v1/me/orders', () => HttpResponse.json({ ...none, orders: [] })),
    http.get('*/api/v1/me/coupons', () => HttpResponse.json({ ...none, coupons: [] })),
    http.get('*/api/v1/me/points', () => HttpResponse.json({ ...none, points: [] })),
    http.get('*/api/v1/me/likes', () => HttpResponse.json({ ...none, likes: [] })),
    http.get('*/api/v1/me/watches', () => HttpResponse.json({ ...none, watches: [] })),
    http.get('*/api/v1/me/documents', () => {
      asked.push('list')
      return HttpResponse.json({ summary: { totalCount: 1 }, documents: [document] })
    }),
    http.get('*/api/v1/me/documents/:id', ({ params }) => {
      asked.push(String(params.id))
      return new HttpResponse('x', { headers: { 'Content-Type': 'image/webp' } })
    }),
  )
})

const open = (userType: UserType) => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType, scope: [] } })
  renderPage(<Dashboard />, '/mypage')
  return screen.findByText('바람님')
}

it('shows what will be granted and what expires soon', async () => {
  const worth = { totalCount: 3, available: 12_00, expected: 3_45, expiringSoon: 50 }
  server.use(
    http.get('*/api/v1/me/points', () => HttpResponse.json({ summary: worth, points: [] })),
    http.get('*/api/v1/me/coupons', () =>
      HttpResponse.json({ summary: { totalCount: 4, expiringSoon: 2 }, coupons: [] }),
    ),
  )
  await open('PERSON')
  const mine = within(screen.getByRole('region', { name: '내 정보' }))
  const soon = await mine.findByRole('link', { name: '만료임박 2장' })
  expect(soon.getAttribute('href')).toBe('/mypage/coupons/expiring')
  expect(mine.getByText(/적립예정/).textContent).toBe('적립예정 $3.45')
  expect(mine.getByText(/소멸예정/).textContent).toBe('소멸예정 $0.50')
  expect(await a11yViolations()).toEqual([])
})

it('has a logout button, the only one on a phone', async () => {
  await open('PERSON')
  render(<ConfirmHost />)
  await userEvent.click(await screen.findByRole('button', { name: '로그아웃' }))
  expect(await screen.findByRole('alertdialog')).toBeTruthy()
})

it('shows a company its registration copy', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined })
  await open('COMPANY')
  const part = within(await screen.findByRole('region', { name: '가입 서류' }))
  expect((await part.findByRole('listitem')).textContent).toContain('사진 · 341KB · 2026. 03. 02. 01:00 제출')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(part.getByRole('button', { name: '사업자등록증 사본 보기' }))
  expect((await screen.findByRole('img', { name: '사업자등록증 사본' })).getAttribute('src')).toBe('blob:1')
  expect(asked).toEqual(['list', 'd1'])
})

it.each(['PERSON', 'OPERATOR'] as const)('requests no documents of a %s', async (userType) => {
  await open(userType)
  await waitFor(() => expect(screen.getByText('최근 3개월간 주문 내역이 없습니다')).toBeTruthy())
  expect(screen.queryByText('가입 서류')).toBeNull()
  expect(asked).toEqual([])
})
