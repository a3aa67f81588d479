// Closing the account: what is deleted, what is kept and for how long, and the password for confirmation (spec R077).
import { useNavigate } from 'react-router'
import { call, paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { loggingOut } from '../../features/login/logoutOnArrival'
import { loginWords } from '../../features/login/words'
import { Button } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { PasswordInput, Select } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { MY_COUPONS, MY_POINTS } from '../benefits'
import { MyPage } from '../MyPage'

const REASONS = {
  SELDOM_USED: '자주 이용하지 않아요',
  GOODS: '상품이나 가격이 아쉬워요',
  SERVICE: '배송이나 응대가 불편했어요',
  PRIVACY: '개인정보가 걱정돼요',
  OTHER: '기타',
} as const
type Reason = keyof typeof REASONS

export function Component() {
  const navigate = useNavigate()
  const form = useForm({
    initial: { password: '', reason: '' as Reason | '' },
    check: ({ password }) => ({ password: password === '' ? loginWords.passwordMissing : undefined }),
    confirm: () => confirmDialog({ title: '정말 탈퇴할까요?', text: '되돌릴 수 없습니다.', yes: '탈퇴', danger: true }),
    send: ({ password, reason }) => call('POST', '/api/v1/me/withdraw', { body: { password, reason: reason || null } }),
    onSent: async () => {
      const message = '탈퇴했습니다. 그동안 이용해 주셔서 감사합니다.'
      await navigate('/', { state: loggingOut({ message, isEnded: true }) })
    },
  })
  const coupons = useApiQuery(MY_COUPONS, { query: { tab: 'usable' }, headers: paged(1, 1) }).data
  const points = useApiQuery(MY_POINTS, { headers: paged(1, 1) }).data
  return (
    <MyPage title="회원 탈퇴" className="max-w-xl">
      <ul className="mt-6 grid list-disc gap-2 rounded-lg bg-sunken p-5 pl-9 text-ink-2">
        <li>이름, 연락처, 배송지, 찜한 상품, 장바구니, 알림이 바로 삭제됩니다.</li>
        <li>
          쿠폰과 적립금은 더 이상 사용할 수 없습니다.
          {coupons && points && (
            <>
              {' '}
              (현재 쿠폰 {coupons.summary.totalCount}장, 적립금 <Money amount={points.summary.available} />)
            </>
          )}
        </li>
        <li>주문 기록은 법에 따라 마지막 거래일부터 5년간 별도로 보관한 뒤 파기합니다.</li>
        <li>같은 아이디로 다시 가입할 수 있지만, 이전 이용 기록은 복구되지 않습니다.</li>
        <li>진행 중인 주문이 있으면 탈퇴할 수 없습니다.</li>
      </ul>
      <form {...form.formProps} className="mt-6 grid gap-4">
        <Field label="탈퇴 사유 (선택)">
          <Select
            value={form.values.reason}
            onChange={(event) => form.set({ reason: event.target.value as Reason | '' })}
            placeholder="선택하지 않음"
            options={Object.entries(REASONS).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <Field label="비밀번호" error={form.errors.password}>
          <PasswordInput autoComplete="current-password" {...form.text('password')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" variant="danger" busy={form.isPending} className="justify-self-start">
          탈퇴
        </Button>
      </form>
    </MyPage>
  )
}
