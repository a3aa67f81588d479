// Every page of the app as data: its address, name, frame, who may see it and where its code is. A row needs a real page.
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { Scope, UserType } from '../api/session'
import { ko } from '../i18n/ko'

/** What a page's file exports. */
export type PageModule = { Component: ComponentType; loader?: LoaderFunction; ErrorBoundary?: ComponentType }

/** Groups of the console's side menu, in order. */
export const CONSOLE_GROUPS = {
  /** Above the groups. */
  first: '',
  orders: '주문',
  products: '상품',
  members: '회원',
  money: '정산',
  promotion: '프로모션',
  content: '콘텐츠',
  analytics: '통계',
  site: '설정',
} as const

export type AppRoute = {
  /** As in the specification's route list; `:name` is a parameter, `:name?` may be missing. */
  path: string
  /** Name in the browser's tab, the breadcrumbs and the menu. */
  title: string
  layout: 'shop' | 'console' | 'bare'
  page?: () => Promise<PageModule>
  /** Goes on to another path instead of showing a page. */
  redirect?: string
  /** Needs a login (spec V154). */
  login?: true
  /** Needs one of these scopes (spec V152). */
  scope?: readonly Scope[]
  /** Needs one of these kinds of member (spec V153). */
  userTypes?: readonly UserType[]
  /** Stands in the console's side menu. */
  menu?: keyof typeof CONSOLE_GROUPS
  /** The menu's entry stays current at addresses that begin with one of these. */
  covers?: readonly string[]
  /** Where the menu's entry leads when the row has a parameter. */
  first?: string
  /** The address of the page it stands under, where its own address does not tell. */
  under?: string
  /** Something new is made at `?id=new` of it. */
  makes?: true
  /** Not for search engines. */
  noindex?: true
  /** Not in the specification's list: something it asks for has no address there. */
  ours?: true
}

/** A page of a member's own. */
const mine = (path: string, title: string, page: AppRoute['page']): AppRoute => ({
  path: `/mypage/${path}`,
  title,
  layout: 'shop',
  login: true,
  page,
})

/** A page of the console. */
const managed = (
  path: string,
  title: string,
  scope: readonly Scope[],
  page: AppRoute['page'],
  more: Partial<AppRoute> = {},
): AppRoute => ({ path, title, layout: 'console', scope, noindex: true, page, ...more })

const STAFF = ['console'] as const
/** Staff, and sellers for their own rows (V181-V193). */
const SELLERS_TOO = ['console', 'company'] as const

/** The lists of purchases are one page; in the menu stands the list of all. */
const purchases = Object.entries({
  all: '',
  nonpayment: ko.orderStatus.ORDER_NONPAYMENT,
  payment: ko.orderStatus.ORDER_PAYMENT,
  delivery: '배송',
  cancel: '취소',
  exchange: '교환',
  return: '반품',
  complete: ko.purchaseStatus.PURCHASE_COMPLETE,
}).map(
  ([tab, title]): AppRoute => ({
    path: `/console/shop/purchases/${tab}`,
    title: ['주문상품', title].filter(Boolean).join(' · '),
    layout: 'console',
    scope: SELLERS_TOO,
    ...(tab === 'all' && { menu: 'orders' as const, covers: ['/console/shop/purchases/', '/console/shop/orders/'] }),
    noindex: true,
    page: () => import('../console/purchases'),
  }),
)

export const routes: readonly AppRoute[] = [
  { path: '/', title: '장부', layout: 'shop', page: () => import('../shop/home') },
  { path: '/test', title: 'UI 모음', layout: 'shop', noindex: true, page: () => import('./pages/Gallery') },

  { path: '/shop', title: '상품', layout: 'shop', redirect: '/shop/products' },
  { path: '/shop/products', title: '전체 상품', layout: 'shop', page: () => import('../shop/products') },
  { path: '/shop/products/:productId', title: '상품', layout: 'shop', page: () => import('../shop/product') },
  { path: '/shop/best', title: '베스트', layout: 'shop', page: () => import('../shop/best') },
  { path: '/shop/brands', title: '브랜드', layout: 'shop', page: () => import('../shop/brands') },
  { path: '/shop/brands/view', title: '브랜드 한눈에 보기', layout: 'shop', page: () => import('../shop/brands/view') },
  { path: '/shop/brands/:code', title: '브랜드', layout: 'shop', page: () => import('../shop/brands/one') },
  { path: '/shop/showrooms', title: '쇼룸', layout: 'shop', page: () => import('../shop/showrooms') },
  { path: '/shop/showrooms/:code', title: '쇼룸', layout: 'shop', page: () => import('../shop/showrooms/one') },
  { path: '/sub/store', title: '매장', layout: 'shop', page: () => import('../shop/stores') },
  { path: '/terms/:code', title: '약관', layout: 'shop', page: () => import('../shop/terms') },
  { path: '/search', title: '검색', layout: 'shop', noindex: true, page: () => import('../shop/search') },
  { path: '/shop/order', title: '주문서', layout: 'shop', noindex: true, page: () => import('../shop/order') },
  { path: '/shop/result', title: '주문 결과', layout: 'shop', noindex: true, page: () => import('../shop/result') },
  {
    path: '/plugins/nicepayments/request',
    title: '결제',
    layout: 'shop',
    noindex: true,
    page: () => import('../shop/plugins'),
  },
  {
    path: '/plugins/nicepayments/response',
    title: '결제',
    layout: 'shop',
    noindex: true,
    page: () => import('../shop/plugins'),
  },
  {
    path: '/plugins/nice/pay/result',
    title: '결제',
    layout: 'shop',
    noindex: true,
    page: () => import('../shop/plugins'),
  },
  // Guests may order (/shop/order needs no login), so they need a cart and a way to find their order.
  {
    path: '/shop/cart',
    title: '비회원 장바구니',
    layout: 'shop',
    ours: true,
    noindex: true,
    page: () => import('../shop/cart/guest'),
  },
  {
    path: '/shop/lookup',
    title: '비회원 주문조회',
    layout: 'shop',
    ours: true,
    noindex: true,
    page: () => import('../mypage/lookup'),
  },
  { path: '/cart', title: '장바구니', layout: 'shop', login: true, page: () => import('../shop/cart') },

  { path: '/mypage', title: '마이페이지', layout: 'shop', login: true, page: () => import('../mypage/dashboard') },
  mine('dashboard', '마이페이지', () => import('../mypage/dashboard')),
  mine('orders', '주문 내역', () => import('../mypage/orders')),
  mine('cart', '장바구니', () => import('./pages/MyCart')),
  mine('orders-detail', '주문 상세', () => import('../mypage/orders-detail')),
  mine('coupons', '쿠폰함', () => import('../mypage/coupons')),
  mine('coupons/:tab', '쿠폰함', () => import('../mypage/coupons')),
  mine('reviews', '내 후기', () => import('../mypage/reviews')),
  mine('reviews-input', '후기 쓰기', () => import('../mypage/reviews-input')),
  mine('reviews-input/:reviewId', '후기 수정', () => import('../mypage/reviews-input')),
  mine('inquiries', '상품 문의', () => import('../mypage/inquiries')),
  mine('inquiries/:inquiryId', '상품 문의', () => import('../mypage/inquiries/one')),
  mine('inquiries/create/:inquiryId', '문의 수정', () => import('../mypage/inquiries/create')),
  mine('inquiry', '상품 문의', () => import('../mypage/inquiries')),
  mine('likes', '찜한 상품', () => import('../mypage/likes')),
  mine('recent', '최근 본 상품', () => import('../mypage/recent')),
  mine('destinations', '배송지 관리', () => import('../mypage/destinations')),
  mine('myinfo', '내 정보', () => import('../mypage/myinfo')),
  mine('leave', '회원 탈퇴', () => import('../mypage/leave')),
  mine('mileage', '적립금', () => import('../mypage/points')),
  mine('points', '적립금', () => import('../mypage/points')),

  { path: '/login', title: '로그인', layout: 'shop', noindex: true, page: () => import('../account/login') },
  { path: '/join', title: '회원가입', layout: 'shop', noindex: true, page: () => import('../account/join') },
  {
    path: '/join/agreement',
    title: '약관 동의',
    layout: 'shop',
    noindex: true,
    page: () => import('../account/join/agreement'),
  },
  {
    path: '/join/form',
    title: '회원 정보 입력',
    layout: 'shop',
    noindex: true,
    page: () => import('../account/join/form'),
  },
  { path: '/join/done', title: '가입 완료', layout: 'shop', noindex: true, page: () => import('../account/join/done') },

  { path: '/console', title: '관리', layout: 'console', noindex: true, page: () => import('./pages/ConsoleRoot') },
  {
    path: '/console/dashboard',
    title: '대시보드',
    layout: 'console',
    scope: SELLERS_TOO,
    menu: 'first',
    noindex: true,
    page: () => import('../console/dashboard'),
  },
  ...purchases,
  {
    path: '/console/shop/orders/:orderId',
    title: '주문',
    under: '/console/shop/purchases/all',
    layout: 'console',
    scope: SELLERS_TOO,
    noindex: true,
    page: () => import('../console/orders'),
  },
  managed('/console/ledgers/:subject/:id', '장부', STAFF, () => import('../console/ledgers'), { ours: true }),
  managed('/console/shop/products', '상품', SELLERS_TOO, () => import('../console/products'), { menu: 'products' }),
  managed('/console/shop/products/create', '상품 등록', SELLERS_TOO, () => import('../console/products/create')),
  managed('/console/shop/products/:productId', '상품 수정', SELLERS_TOO, () => import('../console/products/product')),
  managed('/console/shop/categories', '카테고리', STAFF, () => import('../console/categories'), { menu: 'products' }),
  managed('/console/shop/brands', '브랜드', STAFF, () => import('../console/brands'), {
    makes: true,
    menu: 'products',
  }),
  managed('/console/shop/shippings', '배송 그룹', SELLERS_TOO, () => import('../console/shippings'), {
    makes: true,
    menu: 'products',
  }),
  managed('/console/shop/islands', '도서산간 지역', STAFF, () => import('../console/islands'), {
    makes: true,
    menu: 'products',
    ours: true,
  }),
  managed('/console/shop/stores', '매장', SELLERS_TOO, () => import('../console/stores'), {
    makes: true,
    menu: 'products',
    ours: true,
  }),
  managed('/console/shop/reviews', '상품 후기', SELLERS_TOO, () => import('../console/reviews'), { menu: 'products' }),
  managed('/console/shop/inquires', '상품 문의', SELLERS_TOO, () => import('../console/inquires'), {
    menu: 'products',
  }),
  managed('/console/user-level', '회원 등급', STAFF, () => import('../console/levels'), {
    makes: true,
    menu: 'members',
  }),
  managed('/console/user-level/:code', '회원 등급 수정', STAFF, () => import('../console/levels')),
  managed('/console/documents', '가입 서류', STAFF, () => import('../console/documents'), {
    menu: 'members',
    ours: true,
  }),
  managed('/console/shop/coupons', '쿠폰', SELLERS_TOO, () => import('../console/coupons'), {
    makes: true,
    menu: 'promotion',
  }),
  managed('/console/main/advertisement', '광고 배너', STAFF, () => import('../console/advertisements'), {
    makes: true,
    menu: 'promotion',
  }),
  managed('/console/main/display/:code', '진열', STAFF, () => import('../console/displays'), {
    makes: true,
    menu: 'content',
    first: '/console/main/display/MAIN_FEATURED',
    covers: ['/console/main/display/'],
  }),
  managed('/console/main/banner/:code', '자리별 배너', STAFF, () => import('../console/banners/place'), {
    makes: true,
    menu: 'content',
    first: '/console/main/banner/MAIN_1',
    covers: ['/console/main/banner/'],
  }),
  managed('/console/banners', '배너', STAFF, () => import('../console/banners'), { menu: 'content' }),
  managed('/console/banners/create', '배너 등록', STAFF, () => import('../console/banners/create')),
  managed('/console/banners/:bannerId', '배너 수정', STAFF, () => import('../console/banners/banner')),
  managed('/console/band-banners', '띠배너', STAFF, () => import('../console/band-banners'), {
    makes: true,
    menu: 'content',
  }),
  managed('/console/popups', '팝업', STAFF, () => import('../console/popups'), { makes: true, menu: 'content' }),
  managed('/console/shop/showrooms', '쇼룸', STAFF, () => import('../console/showrooms'), {
    makes: true,
    menu: 'content',
  }),
  managed('/console/shop/showrooms/:code', '쇼룸 수정', STAFF, () => import('../console/showrooms')),
  managed('/console/shop/statistics', '매출 통계', SELLERS_TOO, () => import('../console/statistics'), {
    menu: 'analytics',
    covers: ['/console/shop/statistics/', '/console/analytics/sales'],
  }),
  managed('/console/analytics/sales', '매출 통계', SELLERS_TOO, () => import('../console/statistics')),
  managed('/console/analytics/tags', '검색어·태그 통계', STAFF, () => import('../console/analytics/tags'), {
    menu: 'analytics',
  }),
  managed('/console/analytics/banners', '배너 통계', STAFF, () => import('../console/analytics/banners'), {
    menu: 'analytics',
  }),
  managed('/console/site/setting', '사이트 설정', STAFF, () => import('../console/setting'), { menu: 'site' }),
  managed('/console/site/terms', '약관', STAFF, () => import('../console/terms'), { makes: true, menu: 'site' }),
  managed('/console/system/refusals', '거절된 자동 처리', STAFF, () => import('../console/refusals'), {
    menu: 'site',
    ours: true,
  }),
  managed('/console/system/projections', '데이터 처리', STAFF, () => import('../console/projections'), {
    menu: 'site',
    ours: true,
  }),
]
