// Coupons: what they take off, who gets them and when they can be used.

import schema from 'virtual:resource/coupon'
import { getIn } from '../crud/formState'
import type { ResourceDef } from '../crud/resourceDefinition'
import { couponWorth } from '../crud/sharedFields'
import { hasCampaign } from './campaign'
import { Active, CouponBelow, SentenceCell } from './cells'
import { DisplaysField, EventCodeField, EventField, LevelsField, reach, roundNote, UserTypesField } from './editors'
import { copyOfCoupon, hasCode, onlyWhatApplies } from './rules'

const is = (draft: unknown, field: string, value: string) => getIn(draft, field) === value
const isSet = (draft: unknown, field: string) => !['', 'null', 'undefined'].includes(String(getIn(draft, field)))

export const coupon: ResourceDef = {
  schema,
  page: '/console/shop/coupons',
  openInList: true,
  columns: ['name', 'sentence', 'usage.endsAt', 'issue.isActive', 'updatedAt'],
  cells: {
    sentence: { header: '내용', cell: SentenceCell },
    'issue.isActive': { header: '발급', cell: Active },
    // The sentence must not fold the dates.
    'usage.endsAt': { minWidth: '9rem' },
    updatedAt: { minWidth: '9rem' },
  },
  sections: [
    { title: '할인', fields: ['name', 'usage.type', couponWorth, '_seller', 'share'] },
    {
      title: '누가 어떻게 받나요',
      fields: [
        'issue.type',
        'issue.event.type',
        'issue.event.code',
        'issue.target.type',
        'issue.target._users',
        'issue.target.userTypes',
        'issue.target._levels',
        'issue.startsAt',
        'issue.endsAt',
        'issue.issuesAt',
        'issue.isActive',
        'onDisplay',
        'onConsole',
      ],
    },
    {
      title: '몇 번 받나요',
      fields: [
        'issue.round.type',
        'issue.round.includeds',
        'issue.round.excludeds',
        'count',
        roundNote,
        'issue.limit.shop.count__sum',
        'issue.limit.shop.price__sum',
      ],
    },
    {
      title: '어디에 쓰나요',
      fields: [
        'usage.target.type',
        'usage.target._products',
        'usage.target._categories',
        'usage.target.displayCodes',
        'usage.target._exhibitions',
        'usage.startsAt',
        'usage.endsAt',
        'usage.limit.target.price__min',
        'usage.limit.target.price__max',
        'usage.target.priceBasis',
        'usage.limit.shop.count__sum',
        'usage.limit.shop.price__sum',
        'usage.combinable',
        'usage.returnable',
        'usage.isActive',
      ],
    },
    { title: '이 쿠폰은', fields: [reach] },
  ],
  shownWhen: {
    share: (draft) => isSet(draft, '_seller'),
    'issue.event.type': (draft) => is(draft, 'issue.type', 'instant'),
    'issue.event.code': (draft) => is(draft, 'issue.type', 'instant') && hasCode(getIn(draft, 'issue.event.type')),
    'issue.target._users': (draft) => is(draft, 'issue.target.type', 'USERS'),
    'issue.target.userTypes': (draft) => is(draft, 'issue.target.type', 'USER_TYPES'),
    'issue.target._levels': (draft) => is(draft, 'issue.target.type', 'USER_LEVELS'),
    'issue.round.includeds': (draft) => is(draft, 'issue.round.type', 'bounded'),
    // One that is downloaded misses no round.
    'issue.round.excludeds': (draft) => is(draft, 'issue.round.type', 'infinite') && is(draft, 'issue.type', 'instant'),
    onDisplay: (draft) => !is(draft, 'issue.type', 'instant'),
    'usage.target._products': (draft) => is(draft, 'usage.target.type', 'PRODUCTS'),
    'usage.target._categories': (draft) => is(draft, 'usage.target.type', 'CATEGORIES'),
    'usage.target.displayCodes': (draft) => is(draft, 'usage.target.type', 'DISPLAYS'),
    'usage.target._exhibitions': (draft) => is(draft, 'usage.target.type', 'EXHIBITIONS'),
    'usage.target.priceBasis': (draft) =>
      isSet(draft, 'usage.limit.target.price__min') || isSet(draft, 'usage.limit.target.price__max'),
  },
  editors: {
    'issue.event.type': EventField,
    'issue.event.code': EventCodeField,
    'issue.target.userTypes': UserTypesField,
    'issue.target._levels': LevelsField,
    'usage.target.displayCodes': DisplaysField,
  },
  helpTexts: {
    'issue.type': '다운로드는 회원이 직접 받고, 자동 발급은 정한 일이 있으면 받습니다.',
    'issue.startsAt': '비워 두면 바로 시작합니다.',
    'issue.endsAt': '비워 두면 끝나지 않습니다.',
    'issue.issuesAt': '정하면 그날 하루만 발급합니다.',
    'issue.limit.shop.count__sum': '모든 회원에게 발급하는 수의 합입니다. 비워 두면 제한이 없습니다.',
    'issue.limit.shop.price__sum': '발급한 할인 금액의 합입니다. %로 할인하면 최대 할인 금액을 셉니다.',
    'usage.limit.shop.count__sum': '모든 회원이 사용하는 횟수의 합입니다. 비워 두면 제한이 없습니다.',
    'usage.limit.shop.price__sum': '사용해서 할인한 금액의 합입니다. 비워 두면 제한이 없습니다.',
    'usage.target.priceBasis': '최소·최대 주문 금액을 무엇과 비교할지 정합니다.',
    share: '할인 금액 가운데 판매자가 내는 비율입니다. 나머지는 쇼핑몰이 냅니다.',
  },
  toSave: onlyWhatApplies,
  copyOf: copyOfCoupon,
  below: CouponBelow,
  // How often it was drawn and used is counted only where that is limited.
  ledger: (record) => (hasCampaign(record) ? { kind: 'coupon-campaign', id: String(record._id) } : undefined),
  // Members fetch it themselves, once.
  defaultValues: {
    unit: 'PERCENT',
    value: 10,
    count: 1,
    onDisplay: true,
    issue: { type: 'request', isActive: true, round: { type: 'single' }, target: { type: 'ALL' } },
    usage: { type: 'product', isActive: true, combinable: false, returnable: true, target: { type: 'ALL' } },
  },
}
