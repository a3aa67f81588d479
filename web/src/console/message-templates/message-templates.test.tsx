// Tools of a message text: variables, the built-in text, a preview, and a test mail.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import type { Document } from '../crud/formState'
import { messageTemplate } from './resource'
import { smsBytes } from './smsBytes'
import TextTools from './TextTools'

withServer()
beforeEach(() =>
  beginSession({
    accessToken: 'a',
    refreshToken: 'r',
    payload: { _user: 'staff', userType: 'OPERATOR', scope: ['console'] },
  }),
)

const text = {
  template: 'ORDER_PLACED',
  title: '주문 완료',
  isSms: false,
  variables: [
    { name: 'orderNo', label: '주문번호', kind: 'TEXT', required: true, sample: '1' },
    { name: 'orderLink', label: '주문 보기', kind: 'LINK', required: false, sample: 'https://shop.example' },
  ],
  builtIn: { subject: '주문이 완료되었습니다', content: '주문번호: {{orderNo}}' },
  used: null,
}

function Tools({ template = 'ORDER_PLACED' }: { template?: string }) {
  const [draft, setDraft] = useState<Document>({ template, subject: '주문', content: '안녕하세요' })
  const put = (path: string, value: unknown) => setDraft((before) => ({ ...before, [path]: value }))
  return (
    <>
      <output aria-label="내용">{String(draft['content'])}</output>
      <TextTools
        schema={messageTemplate.schema}
        draft={draft}
        document={draft}
        isNew
        setValue={put}
        errors={{}}
        readOnly={false}
      />
      <Toasts />
    </>
  )
}

it('inserts variables and the built-in text, shows a preview, refusals, and sends a test mail', async () => {
  const sent: unknown[] = []
  server.use(
    http.get('*/api/console/message-texts', () => HttpResponse.json({ texts: [text] })),
    http.post('*/api/console/message-texts/preview', async ({ request }) => {
      const { content } = (await request.json()) as { content: string }
      if (content.includes('{{orderNo}}'))
        return HttpResponse.json({ subject: '[장부상회] 주문', text: '주문번호: 1', html: '' })
      const fields = [{ field: 'content', code: 'missing_variable', message: '주문번호 변수가 있어야 합니다' }]
      return HttpResponse.json({ error: { code: 'invalid', message: '확인해 주세요', fields } }, { status: 400 })
    }),
    http.post('*/api/console/message-texts/test', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ _message: 'm1' }, { status: 201 })
    }),
  )
  renderPage(<Tools />, '/console/message-templates')
  await userEvent.click(await screen.findByRole('button', { name: '미리 보기' }))
  expect((await screen.findByRole('alert')).textContent).toContain('주문번호 변수가 있어야 합니다')
  await userEvent.click(screen.getByRole('button', { name: '주문번호 변수 넣기' }))
  await userEvent.click(screen.getByRole('button', { name: '주문 보기 변수 넣기' }))
  expect(screen.getByLabelText('내용').textContent).toBe('안녕하세요{{orderNo}}\n주문 보기 {{orderLink}}')
  await userEvent.click(screen.getByRole('button', { name: '미리 보기' }))
  expect(await screen.findByText('[장부상회] 주문')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '기본 문구 넣기' }))
  await userEvent.click(screen.getByRole('button', { name: '나에게 시험 메일 보내기' }))
  expect(await screen.findByText(/내 이메일로 시험 메일을 보냈습니다/)).toBeTruthy()
  expect(sent).toEqual([
    { template: 'ORDER_PLACED', subject: '주문이 완료되었습니다', content: '주문번호: {{orderNo}}' },
  ])
})

it('counts the bytes of a text to a phone while it is written', async () => {
  const sms = { ...text, template: 'ORDER_PLACED_SMS', title: '주문 완료 문자', isSms: true }
  server.use(http.get('*/api/console/message-texts', () => HttpResponse.json({ texts: [sms] })))
  renderPage(<Tools template="ORDER_PLACED_SMS" />, '/console/message-templates')
  // [장부상회] 주문 + line break + 안녕하세요
  expect(await screen.findByText('SMS · 26 / 90바이트')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '주문 보기 변수 넣기' }))
  expect(await screen.findByText('SMS · 57 / 90바이트')).toBeTruthy()
  expect(screen.getByRole('button', { name: '나에게 시험 문자 보내기' })).toBeTruthy()
  expect(smsBytes('가a뷁\n'.repeat(30))).toBe(180)
  expect(await a11yViolations()).toEqual([])
})
