// Texts of the dashboard.
export const dashboardWords = {
  title: '대시보드',
  counts: '주문상품 현황',
  newest: '새로 들어온 주문상품',
  more: '모두 보기',
  week: '최근 7일 주문상품',
  purchases: '주문상품',
} as const
