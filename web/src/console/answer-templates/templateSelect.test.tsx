// A template fills the answer, behind what is already written.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { contact } from '../contacts/resource'
import { ResourceForm } from '../crud/ResourceForm'
import { templateSelect } from './TemplateSelect'

withServer()

const template = (id: string, name: string, target: string, content: string) => ({ _id: id, name, target, content })

const open = () => {
  server.use(
    http.get('*/api/console/center/answerTemplates', () =>
      HttpResponse.json({
        summary: { totalCount: 3 },
        answerTemplates: [
          template('1', '인사', 'ALL', '안녕하세요.'),
          template('2', '제휴', 'CONTACT', '검토하겠습니다.'),
          template('3', '배송', 'QUESTION', '내일 도착합니다.'),
        ],
      }),
    ),
  )
  const sections = [{ title: '답변', fields: [templateSelect('CONTACT'), 'reply'] }]
  const def = { ...contact, sections }
  return renderPage(<ResourceForm kind={def.schema} def={def} document={{ version: 1 }} onSave={async () => 2} />)
}

it('offers what fits the form, and puts it into the answer', async () => {
  open()
  const select = await screen.findByLabelText('답변 템플릿')
  expect([...select.querySelectorAll('option')].map((one) => one.textContent)).toEqual([
    '골라서 답변에 넣기',
    '인사',
    '제휴',
  ])
  const reply = screen.getByLabelText<HTMLTextAreaElement>('답변')
  await userEvent.selectOptions(select, '인사')
  expect(reply.value).toBe('안녕하세요.')
  await userEvent.selectOptions(select, '제휴')
  expect(reply.value).toBe('안녕하세요.\n\n검토하겠습니다.')
  expect(await a11yViolations()).toEqual([])
})
