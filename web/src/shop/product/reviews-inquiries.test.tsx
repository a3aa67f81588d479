// Reviews and inquiries under a product: the sums, the filters, secret ones that stay shut, and asking.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import type { Inquire, Review } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import Inquiries from './Inquiries'
import Reviews from './Reviews'

withServer()
beforeEach(() => endSession())

const review: Review = {
  _id: 'r1',
  _product: 'p1',
  name: '바람 로드 105',
  optionName: '빨강 / M',
  star: 4,
  subject: '가볍고 잘 나갑니다',
  content: '한강까지\n왕복했습니다.',
  images: [{ url: '/files/a.webp', alt: null }],
  reply: '감사합니다.',
  repliedAt: '2026-11-20T00:00:00Z',
  isBest: true,
  author: '느긋****',
  mine: false,
  createdAt: '2026-11-19T00:00:00Z',
}

const inquire: Inquire = {
  _id: 'q1',
  _product: 'p1',
  name: '바람 로드 105',
  secret: false,
  readable: true,
  mine: false,
  state: 'ANSWER_COMPLETE',
  subject: '조립해서 오나요?',
  content: '공구가 없습니다.',
  reply: '90% 조립해 보내 드립니다.',
  repliedAt: '2026-11-20T00:00:00Z',
  author: '새벽****',
  removed: false,
  createdAt: '2026-11-19T00:00:00Z',
}

it('shows what reviews come to, asks for what is chosen, and opens pictures', async () => {
  const asked: string[] = []
  server.use(
    http.get('*/api/v1/shop/reviews', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json({
        summary: { totalCount: 1, count: 3, pictured: 1, star: 467, stars: [0, 0, 0, 1, 2] },
        reviews: [review],
      })
    }),
    http.get('*/api/v1/shop/review-images', () =>
      HttpResponse.json({
        summary: { totalCount: 1 },
        reviewImages: [{ _review: 'r1', url: '/files/a.webp', alt: null, star: 4 }],
      }),
    ),
  )
  renderPage(
    <main>
      <h1>상품</h1>
      <Reviews product="p1" name="바람 로드 105" />
    </main>,
    '/',
  )
  expect(await screen.findByText('4.7')).toBeTruthy()
  expect(screen.getByText('베스트')).toBeTruthy()
  expect(screen.getByText('감사합니다.')).toBeTruthy()
  expect(screen.getByText('느긋****')).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
  await userEvent.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '별점 낮은순')
  await userEvent.click(screen.getByRole('checkbox', { name: /사진 후기만/ }))
  await waitFor(() => expect(asked.at(-1)).toContain('photo=true'))
  expect(asked.at(-1)).toContain('sort=STAR_ASC')
  await userEvent.click(screen.getByRole('button', { name: /후기 사진 1 크게 보기, 별점/ }))
  expect(await screen.findByRole('dialog', { name: '후기 사진 크게 보기' })).toBeTruthy()
})

it('says how to write the first review', async () => {
  server.use(
    http.get('*/api/v1/shop/reviews', () =>
      HttpResponse.json({
        summary: { totalCount: 0, count: 0, pictured: 0, star: 0, stars: [0, 0, 0, 0, 0] },
        reviews: [],
      }),
    ),
  )
  renderPage(<Reviews product="p1" name="바람" />, '/')
  expect(await screen.findByText('아직 후기가 없습니다')).toBeTruthy()
  expect(screen.getByRole('link', { name: '작성 가능한 후기 보기' }).getAttribute('href')).toBe('/mypage/reviews-input')
})

it('keeps a secret inquiry shut, and asks with what was typed', async () => {
  const shut: Inquire = {
    ...inquire,
    _id: 'q2',
    secret: true,
    readable: false,
    subject: null,
    content: null,
    reply: null,
  }
  let sent: unknown
  server.use(
    http.get('*/api/v1/shop/inquires', () =>
      HttpResponse.json({ summary: { totalCount: 2 }, inquires: [inquire, shut] }),
    ),
    http.post('*/api/v1/shop/inquires', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ inquire }, { status: 201 })
    }),
  )
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  renderPage(
    <main>
      <h1>상품</h1>
      <Inquiries product="p1" name="바람 로드 105" />
    </main>,
    '/',
  )
  expect(await screen.findByText('비밀글입니다.')).toBeTruthy()
  await userEvent.click(screen.getByText('조립해서 오나요?'))
  expect(screen.getByText('90% 조립해 보내 드립니다.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '상품 문의하기' }))
  const layer = await screen.findByRole('dialog', { name: '상품 문의' })
  await userEvent.click(within(layer).getByRole('button', { name: '문의 등록' }))
  expect(await within(layer).findAllByRole('alert')).toHaveLength(2)
  await userEvent.type(within(layer).getByLabelText(/^제목/), '재입고')
  await userEvent.type(within(layer).getByLabelText(/^문의 내용/), '언제 들어오나요?')
  await userEvent.click(within(layer).getByRole('checkbox', { name: /비밀글/ }))
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(within(layer).getByRole('button', { name: '문의 등록' }))
  await waitFor(() =>
    expect(sent).toEqual({ _product: 'p1', subject: '재입고', content: '언제 들어오나요?', secret: true }),
  )
})

it('asks before what was typed into a question is given up', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/shop/inquires', () => HttpResponse.json({ summary: { totalCount: 1 }, inquires: [inquire] })),
  )
  renderPage(
    <>
      <Inquiries product="p1" name="바람 로드 105" />
      <ConfirmHost />
    </>,
  )
  await userEvent.click(await screen.findByRole('button', { name: '상품 문의하기' }))
  await userEvent.type(screen.getByLabelText(/^제목/), '배터리')
  await userEvent.keyboard('{Escape}')
  const asked = { name: '입력한 내용이 저장되지 않습니다. 닫을까요?' }
  await userEvent.click(within(await screen.findByRole('alertdialog', asked)).getByRole('button', { name: '아니요' }))
  expect(screen.getByLabelText(/^제목/)).toHaveProperty('value', '배터리')
  await userEvent.clear(screen.getByLabelText(/^제목/))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
