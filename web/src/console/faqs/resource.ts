// Frequently asked questions of the customer centre.
import schema from 'virtual:resource/faq'
import type { ResourceDef } from '../crud/resourceDefinition'

export const faq: ResourceDef = {
  schema,
  page: '/console/about/faq',
  openInList: true,
  columns: ['name', 'category', 'index', 'shows', 'updatedAt'],
  sections: [
    { title: '질문', fields: ['category', 'name', 'reply'] },
    { title: '노출', fields: ['shows', 'index'] },
  ],
  helpTexts: { index: '큰 수가 위에 옵니다.' },
  defaultValues: { category: 'ORDER', shows: true, index: 0 },
  emptyText: '고객이 자주 묻는 질문과 답변을 등록해 주세요. 고객센터에서 분류와 검색으로 찾을 수 있습니다.',
}
