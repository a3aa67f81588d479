// Banners: slides at a position in the shop, for one kind of screen.
import schema from 'virtual:resource/banner'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SHOWN, showing, showingColumn } from '../crud/sharedFields'
import { Preview, Slides } from './cells'

export const banner: ResourceDef = {
  schema,
  page: '/console/banners',
  // One for each kind of screen.
  perPosition: 2,
  columns: ['name', 'code', 'device', 'preview', 'showing', 'updatedAt'],
  cells: { preview: { header: '슬라이드', cell: Slides }, ...showingColumn },
  sections: [
    { title: '기본 정보', fields: ['name', 'code', 'device', 'url'] },
    showing,
    { title: '슬라이드', fields: ['slides'] },
  ],
  helpTexts: { code: '한 자리에는 기기마다 배너를 하나만 둘 수 있습니다.' },
  defaultValues: { device: 'PC', url: '', slides: [], ...SHOWN },
  preview: Preview,
}

/** The banners of one position: records open at the list's own address. */
export const bannersAt = (code: string): ResourceDef => ({
  ...banner,
  page: `/console/main/banner/${code}`,
  openInList: true,
})
