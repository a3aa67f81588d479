// The site setting: what the shop is called, how long orders wait, and who runs it.
import { email, name } from '../../lib/validators'
import { type RecordKind, RecordPage } from '../records/RecordPage'

const kind: RecordKind = {
  path: '/api/console/setting',
  one: 'setting',
  name: '사이트 설정',
  sections: [
    {
      title: '쇼핑몰',
      fields: [
        { kind: 'text', path: 'name', label: '사이트명', required: true, rule: name },
        { kind: 'text', path: 'currency.code', label: '통화 코드', required: true, hint: '예: USD, KRW' },
        {
          kind: 'number',
          path: 'unpaidDeadlineMinutes',
          label: '입금 기한(분)',
          required: true,
          hint: '지나면 주문이 취소됩니다.',
        },
        {
          kind: 'number',
          path: 'autoConfirmDays',
          label: '자동 구매확정(일)',
          required: true,
          hint: '배송완료 뒤 지나는 날수',
        },
      ],
    },
    {
      title: '사업자 정보',
      fields: [
        { kind: 'text', path: 'company.name', label: '상호' },
        { kind: 'text', path: 'company.ceoName', label: '대표자' },
        { kind: 'text', path: 'company.registration', label: '사업자등록번호' },
        { kind: 'text', path: 'company.licenseCode', label: '통신판매업 신고번호' },
        { kind: 'text', path: 'company.tel', label: '전화' },
        { kind: 'text', path: 'company.email', label: '이메일', rule: email },
        { kind: 'text', path: 'company.address', label: '주소', wide: true },
      ],
    },
  ],
}

/** There is one setting, and this is its id. */
const THE_SETTING = 'main'

export function Component() {
  return <RecordPage kind={kind} id={THE_SETTING} />
}
