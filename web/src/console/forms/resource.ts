// Forms that guests and members fill in.
import schema from 'virtual:resource/form'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'
import { Preview } from './Preview'

export const form: ResourceDef = {
  schema,
  page: '/console/forms',
  openInList: true,
  columns: ['name', 'code', 'membersOnly', 'showing', 'createdAt', 'updatedAt'],
  cells: { ...showingColumn },
  preview: Preview,
  sections: [
    { title: '양식', fields: ['name', 'code', 'content', 'doneText', 'membersOnly'] },
    { title: '항목', fields: ['fields'] },
    showing,
  ],
  defaultValues: { membersOnly: false, fields: [], content: '', doneText: '', ...SHOWN },
  helpTexts: {
    code: '주소의 끝부분이 됩니다. 예: inquiry-partner → /form/inquiry-partner',
    fields: '이미 받은 문의는 보낼 때의 양식을 그대로 간직합니다. 파일 항목은 회원 전용 양식에만 둘 수 있습니다.',
    doneText: '비우면 기본 안내가 나옵니다.',
  },
  emptyText: '양식을 만들면 손님과 회원이 작성해 보낼 수 있습니다. 보낸 내용은 양식 문의에 모입니다.',
}
