// Texts of answers to choose from.
import schema from 'virtual:resource/answer-template'
import type { ResourceDef } from '../crud/resourceDefinition'

export const answerTemplate: ResourceDef = {
  schema,
  page: '/console/center/answer-templates',
  openInList: true,
  columns: ['name', 'target', 'content', '_seller', 'index', 'updatedAt'],
  sections: [{ title: '답변 템플릿', fields: ['name', 'target', 'content', '_seller', 'index'] }],
  defaultValues: { target: 'ALL', index: 0 },
  emptyText: '자주 쓰는 답변을 등록하면 문의에 답변할 때 골라 쓸 수 있습니다.',
}
