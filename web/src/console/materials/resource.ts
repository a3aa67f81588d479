// Materials of products.
import schema from 'virtual:resource/material'
import type { ResourceDef } from '../crud/resourceDefinition'

export const material: ResourceDef = {
  schema,
  page: '/console/shop/materials',
  openInList: true,
  columns: ['name', 'origin', 'image', '_seller', 'shows', 'index', 'updatedAt'],
  sections: [{ title: '소재', fields: ['name', '_seller', 'origin', 'desc', 'image', 'shows', 'index'] }],
  defaultValues: { shows: true, index: 0, desc: '', origin: '' },
  emptyText: '상품에 쓰인 소재와 원재료를 등록해 주세요.',
}
