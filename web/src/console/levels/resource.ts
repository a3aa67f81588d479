// Membership levels.
import schema from 'virtual:resource/level'
import type { ResourceDef } from '../crud/resourceDefinition'
import { discount } from '../crud/sharedFields'

export const level: ResourceDef = {
  schema,
  page: '/console/user-level',
  openInList: true,
  columns: ['name', 'code', 'index', 'pointsPercent', 'isActive', 'isWelcome', 'updatedAt'],
  sections: [
    { title: '등급', fields: ['name', 'code', 'index', 'isActive', 'isWelcome'] },
    { title: '혜택', fields: [discount, 'pointsPercent'] },
  ],
  defaultValues: { index: 0, isActive: true, pointsPercent: 0 },
}
