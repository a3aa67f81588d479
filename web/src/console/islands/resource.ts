// Postcodes with a delivery surcharge.
import schema from 'virtual:resource/island'
import type { ResourceDef } from '../crud/resourceDefinition'

export const island: ResourceDef = {
  schema,
  page: '/console/shop/islands',
  openInList: true,
  columns: ['name', 'starts', 'ends', 'area', 'updatedAt'],
  sections: [{ title: '지역', fields: ['name', 'starts', 'ends', 'area'] }],
  defaultValues: { area: 'island' },
}
