// The pages of the console. This module is loaded with the console and is not part of the shop.
import type { Scope } from '../../api/session'
import type { RecordPage } from '../../console/crud/recordPage'
import { recordPages } from '../../console/recordPages'
import { statusWords } from '../../i18n/statusWords'
import { addRoutes } from '../routeTable'
import type { AppRoute, MenuGroup } from './route'

/** Groups of the console's side menu, in order. */
export const CONSOLE_GROUPS: Record<MenuGroup, string> = {
  /** Above the groups. */
  first: '',
  orders: '주문',
  products: '상품',
  members: '회원',
  money: '정산',
  promotion: '프로모션',
  content: '콘텐츠',
  center: '고객센터',
  analytics: '통계',
  site: '설정',
}

/** A page of the console. */
const managed = (
  path: string,
  title: string,
  scope: readonly Scope[],
  page: AppRoute['page'],
  more: Partial<AppRoute> = {},
): AppRoute => ({ path, title, scope, noindex: true, page, ...more })

const STAFF = ['console'] as const
/** Staff, and sellers for their own rows (V181-V193). */
const SELLERS_TOO = ['console', 'company'] as const

/** The lists of purchases are one page; the menu links to the list of all. */
const purchases = Object.entries({
  all: '',
  nonpayment: statusWords.orderStatus.ORDER_NONPAYMENT,
  payment: statusWords.orderStatus.ORDER_PAYMENT,
  delivery: '배송',
  cancel: '취소',
  exchange: '교환',
  return: '반품',
  complete: statusWords.purchaseStatus.PURCHASE_COMPLETE,
}).map(
  ([tab, title]): AppRoute => ({
    path: `/console/shop/purchases/${tab}`,
    title: ['주문상품', title].filter(Boolean).join(' · '),
    scope: SELLERS_TOO,
    ...(tab === 'all' && {
      menuGroup: 'orders' as const,
      activePrefixes: ['/console/shop/purchases/', '/console/shop/orders/'],
    }),
    noindex: true,
    page: () => import('../../console/purchases'),
  }),
)

/** The lists of what has to be sent are one page, too. */
const dispatch = ['new', 'preparing', 'late', 'shipping', 'arrived'].map((state) =>
  managed(`/console/shop/dispatch/${state}`, '발송', SELLERS_TOO, () => import('../../console/dispatch'), {
    ...(state === 'new' && { menuGroup: 'orders' as const, activePrefixes: ['/console/shop/dispatch/'] }),
    notInSpec: true,
  }),
)

/** The page of a kind of record that registers itself. */
const recordRoute = ({ page, title, scopes, menuGroup, menuHref, notInSpec, canCreate, load }: RecordPage): AppRoute =>
  managed(page, title, scopes as readonly Scope[], load, {
    menuGroup,
    ...(canCreate && { canCreate }),
    ...(notInSpec && { notInSpec }),
    ...(menuHref && { menuHref, activePrefixes: [page.replace(/:.*/, '')] }),
  })

export const consoleRoutes: readonly AppRoute[] = [
  { path: '/console', title: '관리', noindex: true, page: () => import('../console/ConsoleHome') },
  {
    path: '/console/dashboard',
    title: '대시보드',
    scope: SELLERS_TOO,
    menuGroup: 'first',
    noindex: true,
    page: () => import('../../console/dashboard'),
  },
  ...purchases,
  ...dispatch,
  managed(
    '/console/shop/dispatch/print',
    '라벨·명세서 인쇄',
    SELLERS_TOO,
    () => import('../../console/dispatch/print'),
    {
      parent: '/console/shop/dispatch/new',
      notInSpec: true,
    },
  ),
  {
    path: '/console/shop/orders/:orderId',
    title: '주문',
    parent: '/console/shop/purchases/all',
    scope: SELLERS_TOO,
    noindex: true,
    page: () => import('../../console/orders'),
  },
  managed('/console/shop/deliveries', '배송 현황', SELLERS_TOO, () => import('../../console/deliveries'), {
    menuGroup: 'orders',
    notInSpec: true,
  }),
  managed('/console/user-payments', '추가 결제', SELLERS_TOO, () => import('../../console/user-payments'), {
    menuGroup: 'money',
  }),
  managed('/console/shop/refunds', '환불', STAFF, () => import('../../console/refunds'), {
    menuGroup: 'money',
    notInSpec: true,
  }),
  managed('/console/ledgers/:subject/:id', '장부', STAFF, () => import('../../console/ledgers'), { notInSpec: true }),
  managed('/console/shop/products', '상품', SELLERS_TOO, () => import('../../console/products'), {
    menuGroup: 'products',
  }),
  managed('/console/shop/bulk-upload', '상품 일괄 업로드', STAFF, () => import('../../console/bulk-upload'), {
    menuGroup: 'products',
  }),
  managed('/console/shop/products/create', '상품 등록', SELLERS_TOO, () => import('../../console/products/create')),
  managed(
    '/console/shop/products/:productId',
    '상품 수정',
    SELLERS_TOO,
    () => import('../../console/products/product'),
  ),
  managed('/console/shop/categories', '카테고리', STAFF, () => import('../../console/categories'), {
    menuGroup: 'products',
  }),
  managed('/console/shop/brands', '브랜드', STAFF, () => import('../../console/brands'), {
    canCreate: true,
    menuGroup: 'products',
  }),
  managed('/console/shop/shippings', '배송 그룹', SELLERS_TOO, () => import('../../console/shippings'), {
    canCreate: true,
    menuGroup: 'products',
  }),
  managed('/console/shop/islands', '도서산간 지역', STAFF, () => import('../../console/islands'), {
    canCreate: true,
    menuGroup: 'products',
    notInSpec: true,
  }),
  managed('/console/shop/stores', '매장', SELLERS_TOO, () => import('../../console/stores'), {
    canCreate: true,
    menuGroup: 'products',
    notInSpec: true,
  }),
  managed('/console/shop/reviews', '상품 후기', SELLERS_TOO, () => import('../../console/reviews'), {
    menuGroup: 'products',
  }),
  managed('/console/shop/inquires', '상품 문의', SELLERS_TOO, () => import('../../console/inquires'), {
    menuGroup: 'products',
  }),
  managed('/console/user-level', '회원 등급', STAFF, () => import('../../console/levels'), {
    canCreate: true,
    menuGroup: 'members',
  }),
  managed('/console/user-level/:code', '회원 등급 수정', STAFF, () => import('../../console/levels')),
  managed('/console/user-points', '회원 적립금', STAFF, () => import('../../console/user-points'), {
    menuGroup: 'members',
  }),
  managed('/console/user-coupons', '회원 쿠폰', STAFF, () => import('../../console/user-coupons'), {
    menuGroup: 'members',
  }),
  managed('/console/documents', '가입 서류', STAFF, () => import('../../console/documents'), {
    menuGroup: 'members',
    notInSpec: true,
  }),
  managed('/console/shop/coupons', '쿠폰', SELLERS_TOO, () => import('../../console/coupons'), {
    canCreate: true,
    menuGroup: 'promotion',
  }),
  managed('/console/shop/coupon-codes', '쿠폰 코드', STAFF, () => import('../../console/coupon-codes'), {
    menuGroup: 'promotion',
    notInSpec: true,
  }),
  managed('/console/shop/points', '일괄 지급', STAFF, () => import('../../console/shop-points'), {
    menuGroup: 'promotion',
  }),
  managed('/console/main/advertisement', '광고 배너', STAFF, () => import('../../console/advertisements'), {
    canCreate: true,
    menuGroup: 'promotion',
  }),
  managed('/console/main/display/:code', '진열', STAFF, () => import('../../console/displays'), {
    canCreate: true,
    menuGroup: 'content',
    menuHref: '/console/main/display/MAIN_FEATURED',
    activePrefixes: ['/console/main/display/'],
  }),
  managed('/console/main/banner/:code', '자리별 배너', STAFF, () => import('../../console/banners/place'), {
    canCreate: true,
    menuGroup: 'content',
    menuHref: '/console/main/banner/MAIN_1',
    activePrefixes: ['/console/main/banner/'],
  }),
  managed('/console/banners', '배너', STAFF, () => import('../../console/banners'), { menuGroup: 'content' }),
  managed('/console/banners/create', '배너 등록', STAFF, () => import('../../console/banners/create')),
  managed('/console/banners/:bannerId', '배너 수정', STAFF, () => import('../../console/banners/banner')),
  managed('/console/band-banners', '띠배너', STAFF, () => import('../../console/band-banners'), {
    canCreate: true,
    menuGroup: 'content',
  }),
  managed('/console/popups', '팝업', STAFF, () => import('../../console/popups'), {
    canCreate: true,
    menuGroup: 'content',
  }),
  managed('/console/shop/showrooms', '쇼룸', STAFF, () => import('../../console/showrooms'), {
    canCreate: true,
    menuGroup: 'content',
  }),
  managed('/console/shop/showrooms/:code', '쇼룸 수정', STAFF, () => import('../../console/showrooms')),
  managed('/console/center/notifications', '공지사항', STAFF, () => import('../../console/notices'), {
    canCreate: true,
    menuGroup: 'center',
  }),
  managed('/console/center/questions', '1:1 문의', STAFF, () => import('../../console/questions'), {
    menuGroup: 'center',
  }),
  managed('/console/center/contacts', '제휴·문의', STAFF, () => import('../../console/contacts'), {
    menuGroup: 'center',
  }),
  managed('/console/about/faq', '자주 묻는 질문', STAFF, () => import('../../console/faqs'), {
    canCreate: true,
    menuGroup: 'center',
  }),
  managed('/console/shop/statistics', '매출 통계', SELLERS_TOO, () => import('../../console/statistics'), {
    menuGroup: 'analytics',
    activePrefixes: ['/console/shop/statistics/', '/console/analytics/sales'],
  }),
  managed('/console/analytics/sales', '매출 통계', SELLERS_TOO, () => import('../../console/statistics')),
  managed('/console/analytics/tags', '검색어·태그 통계', STAFF, () => import('../../console/analytics/tags'), {
    menuGroup: 'analytics',
  }),
  managed('/console/analytics/banners', '배너 통계', STAFF, () => import('../../console/analytics/banners'), {
    menuGroup: 'analytics',
  }),
  managed('/console/site/setting', '사이트 설정', STAFF, () => import('../../console/setting'), { menuGroup: 'site' }),
  managed('/console/site/terms', '약관', STAFF, () => import('../../console/terms'), {
    canCreate: true,
    menuGroup: 'site',
  }),
  managed('/console/shop/holidays', '공휴일', STAFF, () => import('../../console/holidays'), {
    canCreate: true,
    menuGroup: 'site',
  }),
  managed('/console/alarms', '알림', STAFF, () => import('../../console/alarms'), { menuGroup: 'members' }),
  managed('/console/messages', '발송 메시지', STAFF, () => import('../../console/messages'), {
    menuGroup: 'members',
  }),
  managed('/console/system/refusals', '거절된 자동 처리', STAFF, () => import('../../console/refusals'), {
    menuGroup: 'site',
    notInSpec: true,
  }),
  managed('/console/system/projections', '데이터 처리', STAFF, () => import('../../console/projections'), {
    menuGroup: 'site',
    notInSpec: true,
  }),
  ...recordPages.map(recordRoute),
]

addRoutes(consoleRoutes)
