// Details of categories.
import schema from 'virtual:resource/category-detail'
import type { ResourceDef } from '../crud/resourceDefinition'

export const categoryDetail: ResourceDef = {
  schema,
  page: '/console/shop/category-details',
  openInList: true,
  columns: ['name', 'category', 'image', '_seller', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '카테고리 상세', fields: ['name', 'category', '_seller', 'image', 'content', 'shows', 'index'] },
    { title: '항목', fields: ['items'] },
  ],
  defaultValues: { shows: true, index: 0, content: '', items: [] },
  helpTexts: { category: '비우면 모든 카테고리에 적용됩니다.', _seller: '비우면 쇼핑몰의 것입니다.' },
  emptyText: '카테고리별로 상품과 함께 보여줄 안내를 등록해 주세요.',
}
