// Stores: places to see a seller's products, and the cards of mini-shops on the home page.
import schema from 'virtual:resource/store'
import type { ResourceDef } from '../crud/resourceDefinition'

/** The city hall of Seoul (spec V095). */
const SEOUL = { latitude: 37.5665, longitude: 126.978 }

export const store: ResourceDef = {
  schema,
  page: '/console/shop/stores',
  openInList: true,
  columns: ['name', 'thumb', 'address1', 'tel', 'shows', 'updatedAt'],
  cells: { address1: { minWidth: '10rem' } },
  sections: [
    { title: '매장', fields: ['name', '_seller', 'companyName', 'desc', 'tel', 'mini.tag', 'shows'] },
    { title: '위치', fields: ['address1', 'address2', 'geolocation'] },
    { title: '사진', fields: ['thumb', 'mainBanner', 'banner'] },
    { title: '첫 화면', fields: ['isRecommended', 'index'] },
  ],
  helpTexts: {
    mainBanner: '미니샵 맨 위에 넓게 보입니다.',
    banner: '미니샵 카드에 보입니다. 비워 두면 미니샵 대표 배너를 씁니다.',
  },
  defaultValues: { shows: true, geolocation: SEOUL },
}
