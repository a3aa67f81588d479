// Tag events.
import schema from 'virtual:resource/tag-event'
import type { ResourceDef } from '../crud/resourceDefinition'

export const tagEvent: ResourceDef = {
  schema,
  page: '/console/shop/tags',
  openInList: true,
  columns: ['name', 'tag', 'thumb', 'startsAt', 'endsAt', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '태그 이벤트', fields: ['name', 'tag', 'desc', 'thumb', 'banner', 'content'] },
    { title: '노출', fields: ['startsAt', 'endsAt', 'shows', 'index'] },
    { title: '상품', fields: ['_products'] },
  ],
  defaultValues: { shows: true, index: 0, desc: '', content: '', _products: [] },
  helpTexts: {
    startsAt: '비우면 바로 시작합니다.',
    endsAt: '비우면 끝나지 않습니다. 종료일이 지나면 목록에서 빠집니다.',
  },
  emptyText: '태그 이벤트를 등록하면 쇼핑몰의 태그 이벤트 페이지에 표시됩니다.',
}
