// Brands.
import schema from 'virtual:resource/brand'
import type { ResourceDef } from '../crud/resourceDefinition'

export const brand: ResourceDef = {
  schema,
  page: '/console/shop/brands',
  openInList: true,
  columns: ['name', 'code', 'label', 'nameEn', 'index', 'shows', 'updatedAt'],
  sections: [
    { title: '기본 정보', fields: ['name', 'code', 'nameEn', 'initial', 'index', 'shows'] },
    { title: '소개', fields: ['label', 'desc', 'categories'] },
  ],
  defaultValues: { shows: true, index: 0 },
}
