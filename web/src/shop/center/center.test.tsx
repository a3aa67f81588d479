// The customer centre: questions found by category and text, a linked one open; announcements; a question to the shop.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { Component as Ask } from '../../mypage/questions/create'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Faq } from './faq'
import { Component as Notices } from './notice'

withServer()

const FAQS = [
  { _id: 'f1', category: 'DELIVERY', query: '배송은 얼마나 걸리나요?', reply: '<p>하루</p>' },
  { _id: 'f2', category: 'CLAIM', query: '환불은 언제 되나요?', reply: '<p>사흘</p>' },
]

const listFaqs = (asked: URLSearchParams[]) =>
  http.get('*/api/v1/center/faqs', ({ request }) => {
    const { searchParams } = new URL(request.url)
    asked.push(searchParams)
    const text = searchParams.get('searchValue') ?? ''
    const category = searchParams.get('category')
    const faqs = FAQS.filter((faq) => faq.query.includes(text) && (!category || faq.category === category))
    return HttpResponse.json({ summary: { totalCount: faqs.length }, faqs })
  })

it('finds questions by text and category, and opens the one of the address', async () => {
  const user = userEvent.setup()
  const asked: URLSearchParams[] = []
  server.use(listFaqs(asked))
  const { router, container } = renderPage(<Faq />, '/center/faq?id=f2')
  const linked = await screen.findByText('환불은 언제 되나요?')
  expect(linked.closest('details')?.open).toBe(true)
  expect(screen.getByText('배송은 얼마나 걸리나요?').closest('details')?.open).toBe(false)
  expect(await a11yViolations(container)).toEqual([])

  await user.type(screen.getByRole('searchbox'), '배송 & 환불{Enter}')
  await screen.findByText('찾으시는 질문이 없습니다')
  expect(asked.at(-1)?.get('searchValue')).toBe('배송 & 환불')
  await user.click(screen.getByRole('link', { name: '배송' }))
  await waitFor(() => expect(asked.at(-1)?.get('category')).toBe('DELIVERY'))
  expect(asked.at(-1)?.get('searchValue')).toBe('배송 & 환불')
  await user.click(screen.getByRole('link', { name: '전체 질문 보기' }))
  await screen.findByText('배송은 얼마나 걸리나요?')
  expect(router.state.location.search).toBe('')
})

it('asks the server for no category that it does not know', async () => {
  const asked: URLSearchParams[] = []
  server.use(listFaqs(asked))
  renderPage(<Faq />, '/center/faq?category=MOON')
  await screen.findByText('배송은 얼마나 걸리나요?')
  expect(asked.at(-1)?.get('category')).toBeNull()
})

it('says that there are no announcements yet', async () => {
  server.use(
    http.get('*/api/v1/center/notifications', () =>
      HttpResponse.json({ summary: { totalCount: 0 }, notifications: [] }),
    ),
  )
  const { container } = renderPage(<Notices />, '/center/notice')
  await screen.findByText('아직 공지가 없습니다')
  expect(await a11yViolations(container)).toEqual([])
})

it('sends a question with its files once it is complete', { timeout: 30_000 }, async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/files', () =>
      HttpResponse.json({ file: { _id: 'a1', name: '주문서.pdf', url: '/files/a.pdf' } }, { status: 201 }),
    ),
    http.post('*/api/v1/center/questions', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ question: { _id: 'q1' } }, { status: 201 })
    }),
  )
  const { router, container } = renderPage(<Ask />, '/mypage/questions/create')
  await user.click(await screen.findByRole('button', { name: '문의 등록' }))
  await screen.findByText('문의 분류를 선택해 주세요.')
  expect(sent).toEqual([])
  await user.selectOptions(screen.getByLabelText(/^분류/), 'ORDER')
  await user.type(screen.getByLabelText(/^제목/), '영수증')
  await user.type(screen.getByLabelText(/^문의 내용/), '다시 보내 주세요')
  const file = new File(['%PDF'], '주문서.pdf', { type: 'application/pdf' })
  await user.upload(screen.getByLabelText('파일 추가'), file)
  await screen.findByText('주문서.pdf')
  expect(await a11yViolations(container)).toEqual([])
  await user.click(screen.getByRole('button', { name: '문의 등록' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/mypage/questions/q1'))
  expect(sent).toEqual([{ category: 'ORDER', subject: '영수증', content: '다시 보내 주세요', files: ['a1'] }])
})
