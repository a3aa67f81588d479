// Band banners, shown above the header.
import schema from 'virtual:resource/band-banner'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'
import { Preview } from './preview'

export const bandBanner: ResourceDef = {
  schema,
  page: '/console/band-banners',
  openInList: true,
  columns: ['name', 'content', 'color', 'showing', 'updatedAt'],
  cells: showingColumn,
  sections: [{ title: '띠배너', fields: ['name', 'code', 'content', 'url', 'color'] }, showing],
  // biome-ignore lint/plugin: a value of the record, not a colour of the page
  defaultValues: { code: 'main', url: '', color: '#0d7a5f', ...SHOWN },
  preview: Preview,
}
