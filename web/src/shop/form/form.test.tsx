// A form with an attachment: what is typed during the upload stays, and the form waits for the file.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as FormPage } from '.'

withServer()

const FORM = {
  _id: 'f1',
  version: 2,
  name: '입점 신청',
  content: '',
  doneText: '고맙습니다.',
  membersOnly: false,
  fields: [
    { _id: 'firm', type: 'TEXT', name: '상호', required: true, options: [] },
    { _id: 'papers', type: 'FILE', name: '서류', required: true, options: [] },
  ],
}

it('keeps what is typed during an upload, and waits for the file', { timeout: 30_000 }, async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  let finish = () => {}
  const uploaded = new Promise<void>((resolve) => {
    finish = resolve
  })
  server.use(
    http.get('*/api/plugins/recaptcha', () => HttpResponse.json({ enabled: false, siteKey: '', scriptUrl: '' })),
    http.get('*/api/v1/forms/:code', () => HttpResponse.json({ form: FORM })),
    http.post('*/api/v1/files', async () => {
      await uploaded
      return HttpResponse.json({ file: { _id: 'a1', name: '등록증.pdf', url: '/files/a.pdf' } }, { status: 201 })
    }),
    http.post('*/api/v1/forms', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ _id: 'i1' }, { status: 201 })
    }),
  )
  renderPage(<FormPage />, '/form/inquiry-partner')
  await user.upload(
    await screen.findByLabelText('서류 추가'),
    new File(['%PDF'], '등록증.pdf', { type: 'application/pdf' }),
  )
  await user.type(screen.getByLabelText(/^이름/), '김입점')
  await user.type(screen.getByLabelText(/^이메일/), 'kim@example.com')
  await user.type(screen.getByLabelText(/^상호/), '장부상회')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: '보내기' }))
  await screen.findByText('파일을 올리고 있습니다. 잠시 후 다시 눌러 주세요.')
  finish()
  await screen.findByText('등록증.pdf')
  expect(screen.getByLabelText<HTMLInputElement>(/^상호/).value).toBe('장부상회')
  await user.click(screen.getByRole('button', { name: '보내기' }))
  await screen.findByText('고맙습니다.', { exact: false })
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ answers: { firm: '장부상회', papers: ['a1'] } })
})
