// Writing a review: pending purchases, missing fields, upload of pictures, and undo of a deletion.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as MyReviews } from '../reviews'
import { Component as Writing } from './index'

withServer()

const purchase = {
  purchaseNo: '20261121-K7Q2M9XA-1',
  _order: 'o1',
  orderNo: '20261121-K7Q2M9XA',
  _product: 'p1',
  name: '바람 로드 105',
  optionName: '빨강 / M',
  thumb: '/pictures/a.webp',
  createdAt: '2026-11-01T00:00:00Z',
}

it('requires stars and text, and sends them with the pictures', async () => {
  let sent: unknown
  server.use(
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, purchases: [purchase], points: { text: 50, photo: 100 } }),
    ),
    http.post('*/api/v1/me/reviews/images', () =>
      HttpResponse.json({ file: { _id: 'f', url: '/files/a.webp', name: 'a' } }, { status: 201 }),
    ),
    http.post('*/api/v1/me/reviews', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ review: {} }, { status: 201 })
    }),
  )
  renderPage(<Writing />, '/mypage/reviews-input')
  expect((await screen.findByText(/적립금을 드립니다/)).textContent).toContain('$1.00')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '바람 로드 105 후기 쓰기' }))
  const layer = await screen.findByRole('dialog', { name: '후기 쓰기' })
  await userEvent.click(within(layer).getByRole('button', { name: '후기 등록' }))
  expect(await within(layer).findByText('별점을 선택해 주세요.')).toBeTruthy()
  await userEvent.click(within(layer).getByRole('radio', { name: '5점 만점에 4점' }))
  await userEvent.type(within(layer).getByLabelText(/^한 줄 평/), '잘 나가요')
  await userEvent.type(within(layer).getByRole('textbox', { name: /^후기/ }), '매일 타고 있습니다.')
  const picture = new File(['x'], 'a.png', { type: 'image/png' })
  await userEvent.upload(within(layer).getByLabelText('사진 추가'), picture)
  expect(await within(layer).findByRole('button', { name: '사진 1 삭제' })).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(within(layer).getByRole('button', { name: '후기 등록' }))
  await waitFor(() =>
    expect(sent).toEqual({
      _purchase: purchase.purchaseNo,
      star: 4,
      subject: '잘 나가요',
      content: '매일 타고 있습니다.',
      images: [{ url: '/files/a.webp', alt: null }],
    }),
  )
})

/** Writes the review in the open layer and sends it. */
async function write() {
  const layer = within(await screen.findByRole('dialog', { name: '후기 쓰기' }))
  await userEvent.click(layer.getByRole('radio', { name: '5점 만점에 4점' }))
  await userEvent.type(layer.getByLabelText(/^한 줄 평/), '잘 나가요')
  await userEvent.type(layer.getByRole('textbox', { name: /^후기/ }), '매일 타고 있습니다.')
  await userEvent.click(layer.getByRole('button', { name: '후기 등록' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

it.each([
  ['by a link', true],
  ['in the list', false],
])('returns to the previous page once a review was written: opened %s', async (_, byLink) => {
  const told: string[] = []
  const see = () => {
    if (screen.queryByText(/^이미 후기를 작성했거나/)) told.push('already')
  }
  let waiting = [purchase]
  server.use(
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({
        summary: { totalCount: waiting.length },
        purchases: waiting,
        points: { text: 0, photo: 0 },
      }),
    ),
    http.post('*/api/v1/me/reviews', () => {
      waiting = []
      return HttpResponse.json({ review: {} }, { status: 201 })
    }),
  )
  const page = '/mypage/reviews-input'
  const { router } = renderPage(<Writing />, page)
  await act(() => router.navigate('/mypage/orders-detail'))
  await act(() => router.navigate(byLink ? `${page}?purchase=${purchase.purchaseNo}` : page))
  const watcher = new MutationObserver(see)
  watcher.observe(document.body, { childList: true, subtree: true })
  if (!byLink) await userEvent.click(await screen.findByRole('button', { name: '바람 로드 105 후기 쓰기' }))
  await write()
  await screen.findByText('작성 가능한 후기가 없습니다')
  expect(router.state.location).toMatchObject({ pathname: page, search: '' })
  await act(() => router.navigate(-1))
  expect(router.state.location.pathname).toBe('/mypage/orders-detail')
  watcher.disconnect()
  expect(told).toEqual([])
})

it('shows why a link does not open the form', async () => {
  server.use(
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({ summary: { totalCount: 0 }, purchases: [], points: { text: 0, photo: 0 } }),
    ),
  )
  renderPage(<Writing />, `/mypage/reviews-input?purchase=${purchase.purchaseNo}`)
  expect(await screen.findByText(/^이미 후기를 작성했거나/)).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('deletes a review, and restores it', async () => {
  const told: string[] = []
  const review = {
    _id: 'r1',
    _product: 'p1',
    _purchase: purchase.purchaseNo,
    name: '바람 로드 105',
    optionName: null,
    star: 5,
    subject: '좋아요',
    content: '정말 좋아요.',
    images: [],
    reply: null,
    repliedAt: null,
    isBest: false,
    author: '느긋****',
    mine: true,
    shows: true,
    removed: false,
    createdAt: '2026-11-19T00:00:00Z',
  }
  server.use(
    http.get('*/api/v1/me/reviews', () => HttpResponse.json({ summary: { totalCount: 1 }, reviews: [review] })),
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({ summary: { totalCount: 0 }, purchases: [], points: { text: 0, photo: 0 } }),
    ),
    http.delete('*/api/v1/me/reviews/r1', () => {
      told.push('removed')
      return HttpResponse.json({ review })
    }),
    http.post('*/api/v1/me/reviews/r1/restore', () => {
      told.push('restored')
      return HttpResponse.json({ review })
    }),
  )
  renderPage(
    <>
      <MyReviews />
      <Toasts />
    </>,
    '/mypage/reviews',
  )
  await userEvent.click(await screen.findByRole('button', { name: '삭제' }))
  // The toaster follows the pointer, which jsdom does not have.
  fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
  await waitFor(() => expect(told).toEqual(['removed', 'restored']))
})

it('shows a specific error at each field', async () => {
  const fields = [
    { field: 'star', code: 'out_of_range', message: '별점을 1점에서 5점 사이로 선택해 주세요.' },
    { field: 'images.0.url', code: 'not_a_picture', message: '올린 사진만 첨부할 수 있습니다.' },
    { field: '_purchase', code: 'required', message: '주문상품을 찾을 수 없습니다.' },
  ]
  server.use(
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, purchases: [purchase], points: { text: 0, photo: 0 } }),
    ),
    http.post('*/api/v1/me/reviews', () =>
      HttpResponse.json({ error: { code: 'invalid', message: '확인해 주세요.', fields } }, { status: 400 }),
    ),
  )
  renderPage(<Writing />, '/mypage/reviews-input')
  await userEvent.click(await screen.findByRole('button', { name: '바람 로드 105 후기 쓰기' }))
  const layer = within(await screen.findByRole('dialog', { name: '후기 쓰기' }))
  const send = () => userEvent.click(layer.getByRole('button', { name: '후기 등록' }))
  await send()
  expect(layer.getByLabelText(/^한 줄 평/).getAttribute('aria-describedby')).toBe(
    layer.getByText('한 줄 평을 두 글자 이상 입력해 주세요.').id,
  )
  expect(layer.getByText('후기를 두 글자 이상 입력해 주세요.')).toBeTruthy()
  await userEvent.click(layer.getByRole('radio', { name: '5점 만점에 4점' }))
  await userEvent.type(layer.getByLabelText(/^한 줄 평/), '잘 나가요')
  await userEvent.type(layer.getByRole('textbox', { name: /^후기/ }), '매일 타고 있습니다.')
  await send()
  const pictures = layer.getByRole('group', { name: /^사진/ })
  expect(await within(pictures).findByText('올린 사진만 첨부할 수 있습니다.')).toBeTruthy()
  expect(within(layer.getByRole('group', { name: '상품은 어떠셨나요?' })).getByText(/^별점을 1점에서/)).toBeTruthy()
  expect(layer.getByText('주문상품을 찾을 수 없습니다.').getAttribute('role')).toBe('alert')
  expect(layer.getByRole('textbox', { name: /^후기/ }).getAttribute('aria-invalid')).toBeNull()
})
