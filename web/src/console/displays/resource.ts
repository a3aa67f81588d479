// Displays: ordered products at a position in the shop.
import schema from 'virtual:resource/display'
import type { ResourceDef } from '../crud/resourceDefinition'

const display: ResourceDef = {
  schema,
  page: '/console/main/display',
  openInList: true,
  perPosition: 1,
  columns: ['name', 'code', '_products', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '진열', fields: ['name', 'code', 'shows', 'index'] },
    { title: '상품', fields: ['_products'] },
    { title: '이야기', fields: ['items'] },
  ],
  defaultValues: { shows: true, index: 0, _products: [], items: [] },
}

/** The displays of one position. */
export const displaysAt = (code: string): ResourceDef => ({ ...display, page: `/console/main/display/${code}` })
