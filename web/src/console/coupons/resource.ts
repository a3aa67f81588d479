// Coupons: what they take off, who gets them and when they can be used.

import schema from 'virtual:resource/coupon'
import { getIn } from '../crud/formState'
import type { ResourceDef } from '../crud/resourceDefinition'
import { couponWorth } from '../crud/sharedFields'
import { Active, DiscountCell } from './cells'

/** Who or what it is for is chosen, and is not everybody or everything. */
const isSome = (draft: unknown, field: string) => !['', 'ALL'].includes(String(getIn(draft, field) ?? ''))

export const coupon: ResourceDef = {
  schema,
  page: '/console/shop/coupons',
  openInList: true,
  columns: ['name', 'value', 'usage.type', 'usage.endsAt', 'issue.isActive', 'updatedAt'],
  cells: {
    value: { header: '할인', align: 'right', cell: DiscountCell },
    'issue.isActive': { header: '발급', cell: Active },
  },
  sections: [
    { title: '할인', fields: ['name', '_seller', 'share', 'usage.type', couponWorth] },
    {
      title: '발급',
      fields: [
        'issue.type',
        'issue.round.type',
        'issue.startsAt',
        'issue.endsAt',
        'issue.issuesAt',
        'count',
        'issue.limit.shop.count__sum',
        'issue.limit.shop.price__sum',
        'issue.isActive',
        'onDisplay',
        'onConsole',
        'issue.target.type',
      ],
    },
    {
      title: '발급 회차',
      when: (draft) => getIn(draft, 'issue.round.type') === 'bounded',
      fields: ['issue.round.includeds'],
    },
    {
      title: '제외 회차',
      when: (draft) => getIn(draft, 'issue.round.type') === 'infinite',
      fields: ['issue.round.excludeds'],
    },
    {
      title: '받을 수 있는 회원',
      when: (draft) => isSome(draft, 'issue.target.type'),
      fields: ['issue.target._users', 'issue.target.userTypes', 'issue.target._levels'],
    },
    {
      title: '자동 발급',
      when: (draft) => getIn(draft, 'issue.type') === 'instant',
      fields: ['issue.event.type', 'issue.event.code'],
    },
    {
      title: '사용',
      fields: [
        'usage.startsAt',
        'usage.endsAt',
        'usage.limit.target.price__min',
        'usage.limit.target.price__max',
        'usage.target.priceBasis',
        'usage.limit.shop.count__sum',
        'usage.limit.shop.price__sum',
        'usage.isActive',
        'usage.combinable',
        'usage.target.type',
      ],
    },
    {
      title: '사용할 수 있는 상품',
      when: (draft) => isSome(draft, 'usage.target.type'),
      fields: ['usage.target._products', 'usage.target._categories', 'usage.target.displayCodes'],
    },
  ],
  // How often it was drawn and used is counted only where that is limited.
  ledger: (record) =>
    ['issue', 'usage'].some((part) =>
      ['count__sum', 'price__sum'].some((limit) => getIn(record, `${part}.limit.shop.${limit}`) != null),
    )
      ? { kind: 'coupon-campaign', id: String(record._id) }
      : undefined,
  // Members fetch it themselves, once.
  defaultValues: {
    unit: 'PERCENT',
    value: 10,
    onDisplay: true,
    issue: { type: 'request', isActive: true },
    usage: { type: 'product', isActive: true, combinable: false },
  },
}
