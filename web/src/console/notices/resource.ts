// Announcements of the customer centre.
import schema from 'virtual:resource/notice'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'

export const notice: ResourceDef = {
  schema,
  page: '/console/center/notifications',
  openInList: true,
  columns: ['name', 'category', 'pinned', 'showing', 'createdAt'],
  cells: { ...showingColumn },
  sections: [
    { title: '공지', fields: ['category', 'name', 'content', 'files'] },
    { title: '상단 고정', fields: ['pinned'] },
    showing,
  ],
  helpTexts: { pinned: '고정한 공지는 목록의 맨 위에 보입니다.' },
  defaultValues: { category: 'GENERAL', pinned: false, files: [], ...SHOWN },
  emptyText: '쇼핑몰의 소식을 등록해 주세요. 기간을 정하면 그동안만 고객센터에 보입니다.',
}
