// The pages of the shop and of its members. The console's are in consoleRoutes.ts, loaded with the console.
import type { AppRoute } from './route'

/** A page of the member area. */
const mine = (path: string, title: string, page: AppRoute['page']): AppRoute => ({
  path: `/mypage/${path}`,
  title,
  login: true,
  page,
})

/** One page at several addresses. */
const orders = () => import('../../mypage/orders')
const claims = () => import('../../mypage/claims')
const coupons = () => import('../../mypage/coupons')
const dashboard = () => import('../../mypage/dashboard')
const points = () => import('../../mypage/points')
const reviewsInput = () => import('../../mypage/reviews-input')

/** A page about an order, also for the guest who found it; the specification's own address for it redirects here. */
const claim = (path: string, title: string, page: AppRoute['page']): AppRoute[] => {
  const row = mine(`orders/${path}`, title, page)
  return [
    { ...row, guestOrder: true },
    { ...mine(path, title, undefined), redirect: row.path, notInSpec: true },
  ]
}

export const shopRoutes: readonly AppRoute[] = [
  { path: '/', title: '장부', page: () => import('../../shop/home') },

  { path: '/shop', title: '상품', redirect: '/shop/products' },
  { path: '/shop/products', title: '전체 상품', page: () => import('../../shop/products') },
  { path: '/shop/products/:productId', title: '상품', page: () => import('../../shop/product') },
  { path: '/shop/best', title: '베스트', page: () => import('../../shop/best') },
  { path: '/shop/brands', title: '브랜드', page: () => import('../../shop/brands') },
  {
    path: '/shop/brands/view',
    title: '브랜드 한눈에 보기',
    page: () => import('../../shop/brands/view'),
  },
  { path: '/shop/brands/:code', title: '브랜드', page: () => import('../../shop/brands/one') },
  { path: '/shop/showrooms', title: '쇼룸', page: () => import('../../shop/showrooms') },
  { path: '/shop/showrooms/:code', title: '쇼룸', page: () => import('../../shop/showrooms/one') },
  { path: '/sub/store', title: '매장', page: () => import('../../shop/stores') },
  { path: '/search', title: '검색', noindex: true, page: () => import('../../shop/search') },
  { path: '/shop/order', title: '주문서', noindex: true, page: () => import('../../shop/order') },
  {
    path: '/shop/result',
    title: '주문 결과',
    noindex: true,
    page: () => import('../../shop/order-result/index'),
  },
  // Guests may order (/shop/order needs no login), so they need a cart and a way to find their order.
  {
    path: '/shop/cart',
    title: '비회원 장바구니',
    notInSpec: true,
    noindex: true,
    page: () => import('../../shop/cart/guest'),
  },
  {
    path: '/shop/lookup',
    title: '비회원 주문조회',
    notInSpec: true,
    noindex: true,
    page: () => import('../../mypage/lookup'),
  },
  { path: '/cart', title: '장바구니', login: true, page: () => import('../../shop/cart') },

  { path: '/mypage', title: '마이페이지', login: true, page: dashboard },
  mine('dashboard', '마이페이지', dashboard),
  mine('orders', '주문 내역', orders),
  mine('orders/cancel', '취소 내역', orders),
  mine('orders/return', '반품 내역', orders),
  ...claim('cancel-application', '주문 취소', claims),
  ...claim('return-application', '반품 신청', claims),
  ...claim('exchange-application', '교환 신청', claims),
  ...claim('cancel-detail', '취소 상세', claims),
  ...claim('return-detail', '반품 상세', claims),
  { ...mine('orders/exchange-detail', '교환 상세', claims), guestOrder: true, notInSpec: true },
  mine('cart', '장바구니', () => import('../pages/MyCart')),
  mine('orders-detail', '주문 상세', () => import('../../mypage/orders-detail')),
  mine('coupons', '쿠폰함', coupons),
  mine('coupons/:tab', '쿠폰함', coupons),
  mine('reviews', '내 후기', () => import('../../mypage/reviews')),
  mine('reviews-input', '후기 쓰기', reviewsInput),
  mine('reviews-input/:reviewId', '후기 수정', reviewsInput),
  mine('likes', '찜한 상품', () => import('../../mypage/likes')),
  mine('recent', '최근 본 상품', () => import('../../mypage/recent')),
  mine('destinations', '배송지 관리', () => import('../../mypage/destinations')),
  mine('myinfo', '내 정보', () => import('../../mypage/myinfo')),
  mine('leave', '회원 탈퇴', () => import('../../mypage/leave')),
  mine('mileage', '적립금', points),
  mine('points', '적립금', points),

  { path: '/login', title: '로그인', noindex: true, page: () => import('../../account/login') },
  { path: '/join', title: '회원가입', noindex: true, page: () => import('../../account/join') },
  {
    path: '/join/agreement',
    title: '약관 동의',
    noindex: true,
    page: () => import('../../account/join/agreement'),
  },
  {
    path: '/join/form',
    title: '회원 정보 입력',
    noindex: true,
    page: () => import('../../account/join/form'),
  },
  {
    path: '/join/done',
    title: '가입 완료',
    noindex: true,
    page: () => import('../../account/join/done'),
  },
]
