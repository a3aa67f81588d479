// Terms to accept, by version.
import schema from 'virtual:resource/terms'
import type { ResourceDef } from '../crud/resourceDefinition'
import { StartDateCell } from './cells'

export const terms: ResourceDef = {
  schema,
  page: '/console/site/terms',
  openInList: true,
  columns: ['name', 'code', 'edition', 'required', 'startsAt', 'updatedAt'],
  cells: { startsAt: { cell: StartDateCell } },
  sections: [
    { title: '약관', fields: ['name', 'code', 'edition', 'startsAt', 'required'] },
    { title: '내용', fields: ['content'] },
  ],
  defaultValues: { required: true, edition: 1 },
}
