// Questions of members to the shop. Question and answer are encrypted and belong to the member: only the answer can be written here.
import schema from 'virtual:resource/question'
import type { ResourceDef } from '../crud/resourceDefinition'
import { asked, State, template } from './cells'

export const question: ResourceDef = {
  schema,
  page: '/console/center/questions',
  openInList: true,
  columns: ['subject', 'state', 'category', 'nickname', 'createdAt', 'repliedAt'],
  cells: { state: { cell: State } },
  sections: [
    { title: '문의', fields: [asked, 'nickname', 'category', 'state'] },
    { title: '답변', fields: [template, 'reply'] },
  ],
  helpTexts: { reply: '저장하면 문의한 회원에게 알림이 갑니다. 비우면 답변 대기로 돌아갑니다.' },
  emptyText: '회원이 고객센터에서 남긴 1:1 문의가 여기에 모입니다.',
}
