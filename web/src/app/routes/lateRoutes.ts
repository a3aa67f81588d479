// Pages of the shop that few visits need: events, the customer centre, other texts, finding an account, and where a payment gateway returns
// to. This module is loaded when one of them is opened (`LATE` in routeTable.ts): its rows are not part of the first load.
import { addRoutes } from '../routeTable'
import type { AppRoute } from './route'

/** The member's questions, in the customer centre and in the member area. */
const questions = (path: string): AppRoute[] => {
  const row = { login: true, title: '1:1 문의' } as const
  const create = () => import('../../mypage/questions/create')
  return [
    { ...row, path, page: () => import('../../mypage/questions') },
    { ...row, path: `${path}/create`, title: '1:1 문의하기', page: create },
    { ...row, path: `${path}/create/:questionId`, title: '문의 수정', page: create },
    { ...row, path: `${path}/:questionId`, page: () => import('../../mypage/questions/one') },
  ]
}

const form = () => import('../../shop/form')
const inquiries = '/mypage/inquiries'
const inquiryRow = { login: true, title: '양식 문의' } as const
const inquireRow = { login: true, title: '상품 문의' } as const
const find = () => import('../../account/find')
const confirmEmail = () => import('../../account/confirm-email')
const unsubscribe = () => import('../../account/unsubscribe')
const faq = () => import('../../shop/center/faq')
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
  { path: '/center/notice', title: '공지사항', page: () => import('../../shop/center/notice') },
  { path: '/center/notice/:notificationId', title: '공지사항', page: () => import('../../shop/center/notice/one') },
  { path: '/center/faq', title: '자주 묻는 질문', page: faq },
  { path: '/about/faq', title: '자주 묻는 질문', page: faq },
  { path: '/about/contact', title: '제휴·문의', page: () => import('../../shop/center/contact') },
  { path: '/form/inquiry-partner', title: '입점·제휴 문의', page: form },
  { path: '/form/:formCode', title: '양식', notInSpec: true, page: form },
  { ...inquireRow, path: inquiries, page: () => import('../../mypage/inquiries') },
  { ...inquireRow, path: `${inquiries}/:inquiryId`, page: () => import('../../mypage/inquiries/one') },
  {
    ...inquireRow,
    path: `${inquiries}/create/:inquiryId`,
    title: '문의 수정',
    page: () => import('../../mypage/inquiries/create'),
  },
  { ...inquiryRow, path: '/mypage/inquiry', page: () => import('../../mypage/inquiry') },
  { ...inquiryRow, path: '/mypage/inquiry/:sentId', notInSpec: true, page: () => import('../../mypage/inquiry/one') },
  ...questions('/center/questions'),
  ...questions('/mypage/questions'),
  { path: '/terms/:code', title: '약관', page: () => import('../../shop/terms') },
  { path: '/login/find-id', title: '계정 찾기', noindex: true, page: find },
  { path: '/login/find-password', title: '계정 찾기', noindex: true, page: find },
  // The link in a mail has the member.
  { path: '/login/find-id/:userId', title: '계정 찾기', noindex: true, page: find },
  { path: '/login/find-password/:userId', title: '계정 찾기', noindex: true, page: find },
  { path: '/center/confirm-email/:userId', title: '이메일 확인', noindex: true, notInSpec: true, page: confirmEmail },
  { path: '/center/unsubscribe/:userId', title: '광고 수신 거부', noindex: true, notInSpec: true, page: unsubscribe },
  { path: '/test', title: 'UI 모음', noindex: true, page: () => import('../pages/Gallery') },
  { path: '/email-policy', title: '이메일 무단수집 거부', page: () => import('../../shop/center/email-policy') },
  { path: '/plugins/nicepayments/request', title: '결제', noindex: true, page: paymentReturn },
  { path: '/plugins/nicepayments/response', title: '결제', noindex: true, page: paymentReturn },
  { path: '/plugins/nice/pay/result', title: '결제', noindex: true, page: paymentReturn },
]

addRoutes(lateRoutes)
