// Events of the shop.
import schema from 'virtual:resource/shop-event'
import type { ResourceDef } from '../crud/resourceDefinition'

export const shopEvent: ResourceDef = {
  schema,
  page: '/console/shop/events',
  openInList: true,
  columns: ['name', 'thumb', 'startsAt', 'endsAt', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '이벤트', fields: ['name', 'desc', 'thumb', 'banner', 'content'] },
    { title: '노출', fields: ['startsAt', 'endsAt', 'shows', 'index'] },
    { title: '추첨', fields: ['raffle.winners', 'raffle._coupon', 'raffleEntries', 'raffleNumbers'] },
    { title: '상품과 쿠폰', fields: ['_products', '_coupons'] },
  ],
  defaultValues: { shows: true, index: 0, desc: '', content: '', _products: [], _coupons: [] },
  helpTexts: {
    startsAt: '비우면 바로 시작합니다.',
    endsAt: '비우면 끝나지 않습니다. 종료일이 지나면 지난 이벤트로 옮겨집니다.',
    'raffle.winners':
      '입력하면 회원마다 한 번 응모하고, 종료 일시에 자동으로 추첨합니다. 한 번 저장하면 없앨 수 없고, 응모가 있으면 줄일 수 없습니다.',
    'raffle._coupon': '당첨자에게 자동으로 지급합니다. 응모가 있으면 바꿀 수 없습니다.',
    _coupons: '내려받는 쿠폰만 이벤트 페이지에 표시됩니다.',
  },
  emptyText: '이벤트를 등록하면 쇼핑몰의 이벤트 페이지에 표시됩니다.',
}
