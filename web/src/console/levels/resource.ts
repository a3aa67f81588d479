// Membership levels.
import schema from 'virtual:resource/level'
import type { ResourceDef } from '../crud/resourceDefinition'
import { discount } from '../crud/sharedFields'

export const level: ResourceDef = {
  schema,
  page: '/console/user-level',
  openInList: true,
  columns: ['name', 'code', 'index', 'pointsPercent', 'isActive', 'isWelcome', 'updatedAt'],
  sections: [
    { title: '등급', fields: ['name', 'code', 'index', 'scope', 'isActive', 'isWelcome'] },
    { title: '기준', fields: ['criteria.months', 'criteria.amount', 'criteria.orders'] },
    { title: '혜택', fields: [discount, 'pointsPercent', 'coupons'] },
  ],
  helpTexts: {
    scope: '이 등급이 될 수 있는 회원입니다. 선택하지 않으면 모든 회원입니다.',
    'criteria.months': '최근 몇 개월의 구매를 셀지 입력합니다. 비워 두면 전체 기간입니다.',
    'criteria.amount': '구매를 확정한 금액입니다.',
    coupons: '이 등급이 되면 자동으로 발급하는 쿠폰입니다. 쿠폰의 발급 조건에서 바꿉니다.',
  },
  defaultValues: { index: 0, isActive: true, pointsPercent: 0 },
}
