// Advertisements on the home page.
import schema from 'virtual:resource/banner-advertisement'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'

export const bannerAdvertisement: ResourceDef = {
  schema,
  page: '/console/main/advertisement',
  openInList: true,
  columns: ['name', 'image', 'url', 'index', 'showing', 'updatedAt'],
  cells: showingColumn,
  sections: [{ title: '광고', fields: ['name', 'index', 'image', 'url', 'target'] }, showing],
  defaultValues: { url: '', target: '_self', index: 0, ...SHOWN },
}
