// Main links.
import schema from 'virtual:resource/main-link'
import type { ResourceDef } from '../crud/resourceDefinition'

export const mainLink: ResourceDef = {
  schema,
  page: '/console/main/link',
  openInList: true,
  columns: ['name', 'url', 'image', 'target', 'shows', 'index', 'updatedAt'],
  sections: [{ title: '메인 링크', fields: ['name', 'url', 'target', 'image', 'shows', 'index'] }],
  defaultValues: { shows: true, index: 0, target: '_self' },
  emptyText: '메인 화면에서 바로 갈 수 있는 링크를 등록해 주세요.',
}
