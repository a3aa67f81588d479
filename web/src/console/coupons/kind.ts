// What a coupon's form asks for.
import { name } from '../../lib/validators'
import type { RecordKind } from '../records/RecordPage'

/** What a coupon takes its discount off. */
export const STAGES = [
  { value: 'product', label: '상품' },
  { value: 'fare', label: '배송비' },
  { value: 'total', label: '주문 전체' },
]

/** A coupon before anything is typed: members fetch it themselves, once. */
export const NEW_COUPON = {
  unit: 'PERCENT',
  onDisplay: true,
  issue: { type: 'request', isActive: true },
  usage: { type: 'product', isActive: true, combinable: false },
}

export const couponKind: RecordKind = {
  path: '/api/console/shop/coupons',
  one: 'coupon',
  name: '쿠폰',
  sections: [
    {
      title: '할인',
      fields: [
        { kind: 'text', path: 'name', label: '쿠폰명', required: true, rule: name, wide: true },
        {
          kind: 'choice',
          path: 'unit',
          label: '할인 단위',
          options: [
            { value: 'PERCENT', label: '비율(%)' },
            { value: 'AMOUNT', label: '금액' },
          ],
        },
        { kind: 'worth', path: 'value', unit: 'unit', label: '할인값', required: true },
        { kind: 'money', path: 'limit', label: '최대 할인 금액', hint: '비워 두면 상한이 없습니다.' },
        { kind: 'choice', path: 'usage.type', label: '적용 대상', options: STAGES },
      ],
    },
    {
      title: '발급',
      fields: [
        { kind: 'moment', path: 'issue.startsAt', label: '발급 시작' },
        { kind: 'moment', path: 'issue.endsAt', label: '발급 종료' },
        {
          kind: 'number',
          path: 'issue.limit.shop.count__sum',
          label: '총 발급 수량',
          hint: '비워 두면 제한이 없습니다.',
        },
        { kind: 'bool', path: 'issue.isActive', label: '발급 중' },
        { kind: 'bool', path: 'onDisplay', label: '쿠폰존에 보입니다' },
      ],
    },
    {
      title: '사용',
      fields: [
        { kind: 'moment', path: 'usage.startsAt', label: '사용 시작' },
        { kind: 'moment', path: 'usage.endsAt', label: '사용 종료' },
        { kind: 'money', path: 'usage.limit.target.price__min', label: '최소 주문 금액' },
        { kind: 'money', path: 'usage.limit.target.price__max', label: '최대 주문 금액' },
        { kind: 'bool', path: 'usage.isActive', label: '사용할 수 있음' },
        { kind: 'bool', path: 'usage.combinable', label: '다른 쿠폰과 함께 사용' },
      ],
    },
  ],
}
