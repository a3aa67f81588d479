// Texts of who would get a coupon.
import { grouped } from '../../i18n/number'

export const reachWords = {
  incomplete: '필요한 항목을 채우면 이 쿠폰이 무엇이고 누가 받는지 여기에 알려 드립니다.',
  refused: '아직 계산할 수 없습니다.',
  members: (n: number) => `지금 기준으로 ${grouped(n)}명이 받을 수 있습니다.`,
  nobody: '지금 기준으로 받을 수 있는 회원이 없습니다.',
  byLevel: '등급별 회원',
  level: '등급',
  noLevel: '등급 없음',
  partial: '주문이 많아 가장 최근 주문만 셌습니다.',
  count: '회원 수',
  people: (n: number) => `${grouped(n)}명`,
  sample: '예를 들면',
  lastMonth: '지난 30일 주문에 쓰였다면',
  orders: '쓸 수 있었던 주문',
  orderCount: (n: number) => `${grouped(n)}건`,
  discount: '할인 금액(최대)',
  sellers: '판매자 부담',
  shop: '쇼핑몰 부담',
  upperBound: '쓸 수 있었던 주문이 모두 썼다고 본 가장 큰 금액입니다.',
} as const
