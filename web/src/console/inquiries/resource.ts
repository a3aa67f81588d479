// What guests and members sent with forms. It is encrypted, and so is the answer: only the answer can be written here.
import schema from 'virtual:resource/inquiry'
import type { ResourceDef } from '../crud/resourceDefinition'
import { State, template, written } from './cells'

export const inquiry: ResourceDef = {
  schema,
  page: '/console/inquiries',
  openInList: true,
  columns: ['subject', 'state', 'formName', 'nickname', 'name', 'createdAt', 'repliedAt'],
  cells: { state: { cell: State } },
  sections: [
    { title: '보낸 내용', fields: ['formName', written, 'state'] },
    { title: '답변', fields: [template, 'reply'] },
  ],
  helpTexts: {
    reply:
      '저장하면 회원에게는 알림이, 손님에게는 이메일이 갑니다. 이메일이 없는 문의는 전화로 알려 주세요. 비우면 답변 대기로 돌아갑니다.',
  },
  emptyText: '손님과 회원이 양식으로 보낸 문의가 여기에 모입니다. 3년이 지나면 파기됩니다.',
}
