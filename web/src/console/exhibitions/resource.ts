// Exhibitions.
import schema from 'virtual:resource/exhibition'
import type { ResourceDef } from '../crud/resourceDefinition'

export const exhibition: ResourceDef = {
  schema,
  page: '/console/shop/exhibitions',
  openInList: true,
  columns: ['name', 'thumb', 'startsAt', 'endsAt', '_products', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '기획전', fields: ['name', 'desc', 'thumb', 'banner', 'content'] },
    { title: '노출', fields: ['startsAt', 'endsAt', 'shows', 'index'] },
    { title: '상품', fields: ['_products'] },
  ],
  defaultValues: { shows: true, index: 0, desc: '', content: '', _products: [] },
  helpTexts: {
    startsAt: '비우면 바로 시작합니다.',
    endsAt: '비우면 끝나지 않습니다. 종료일이 지나면 종료로 표시됩니다.',
  },
  emptyText: '기획전을 등록하면 쇼핑몰의 기획전 페이지에 표시됩니다.',
}
