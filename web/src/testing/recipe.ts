// A recipe: a sample of a new kind of record on the web side. For tests only; used by console/crud/new-resource.test.tsx.
import type { ResourceDef } from '../console/crud/resourceDefinition'
import type { ResourceSchema } from '../console/crud/schema'
import schema from './recipe.json'

export const recipe: ResourceDef = {
  schema: schema as unknown as ResourceSchema,
  page: '/console/recipes',
  openInList: true,
  columns: ['name', '_product', 'updatedAt'],
  sections: [
    { title: '레시피', fields: ['name', '_product'] },
    { title: '순서', fields: ['steps'] },
  ],
  defaultValues: { steps: [] },
}
