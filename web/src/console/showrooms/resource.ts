// Showrooms: products shown together under a picture.
import schema from 'virtual:resource/showroom'
import type { ResourceDef } from '../crud/resourceDefinition'

export const showroom: ResourceDef = {
  schema,
  page: '/console/shop/showrooms',
  openInList: true,
  columns: ['name', 'code', 'image', '_products', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '쇼룸', fields: ['name', 'code', 'desc', 'image', 'shows', 'index'] },
    { title: '상품', fields: ['_products'] },
  ],
  defaultValues: { shows: true, index: 0, desc: '', _products: [] },
}
