// The event pages of the shop, and those that a payment gateway returns to. This module is loaded when an address of them is opened, and is
// not part of the first load.
import { addRoutes } from '../routeTable'
import type { AppRoute } from './route'

const events = () => import('../../shop/events')
const event = () => import('../../shop/events/one')
const paymentReturn = () => import('../../shop/payment-return/index')

export const lateRoutes: readonly AppRoute[] = [
  { path: '/sub/event', title: '이벤트', redirect: '/sub/event/ongoing' },
  { path: '/sub/event/ongoing', title: '진행 중인 이벤트', page: events },
  { path: '/sub/event/ongoing/:eventId', title: '이벤트', page: event },
  { path: '/sub/event/ended', title: '지난 이벤트', page: events },
  { path: '/sub/event/ended/:eventId', title: '지난 이벤트', page: event },
  { path: '/sub/event/exhibition', title: '기획전', page: events },
  { path: '/sub/event/exhibition/:exhibitionId', title: '기획전', page: event },
  { path: '/sub/event/tag', title: '태그 이벤트', page: () => import('../../shop/events/tag') },
  { path: '/sub/event/coupon', title: '쿠폰', page: () => import('../../shop/events/coupon') },
  { path: '/plugins/nicepayments/request', title: '결제', noindex: true, page: paymentReturn },
  { path: '/plugins/nicepayments/response', title: '결제', noindex: true, page: paymentReturn },
  { path: '/plugins/nice/pay/result', title: '결제', noindex: true, page: paymentReturn },
]

addRoutes(lateRoutes)
