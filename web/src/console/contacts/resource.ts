// Contacts of guests and members. What they wrote and the answer are encrypted: only the answer can be written here.
import schema from 'virtual:resource/contact'
import type { ResourceDef } from '../crud/resourceDefinition'
import { State, template, written } from './cells'

export const contact: ResourceDef = {
  schema,
  page: '/console/center/contacts',
  openInList: true,
  columns: ['subject', 'state', 'category', 'name', 'company', 'createdAt', 'repliedAt'],
  cells: { state: { cell: State } },
  sections: [
    { title: '문의', fields: [written, 'category', 'state'] },
    { title: '답변', fields: [template, 'reply'] },
  ],
  helpTexts: {
    reply: '저장하면 이메일로 답변이 갑니다. 이메일이 없는 문의는 전화로 알려 주세요. 비우면 답변 대기로 돌아갑니다.',
  },
  emptyText: '제휴·문의 페이지에서 손님이 남긴 문의가 여기에 모입니다. 3년이 지나면 파기됩니다.',
}
