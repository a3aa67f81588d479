// Popups over the home page, with position and size.
import schema from 'virtual:resource/popup'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'
import { PopupPositionCell, Preview } from './cells'

export const popup: ResourceDef = {
  schema,
  page: '/console/popups',
  openInList: true,
  columns: ['name', 'place', 'showing', 'updatedAt'],
  cells: { place: { header: '위치와 크기', cell: PopupPositionCell }, ...showingColumn },
  sections: [
    { title: '내용', fields: ['name', 'url', 'image', 'content'] },
    { title: '위치와 크기', fields: ['left', 'top', 'width', 'height'] },
    showing,
  ],
  defaultValues: { content: '', url: '', left: 40, top: 80, width: 360, height: 420, ...SHOWN },
  preview: Preview,
}
