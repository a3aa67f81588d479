// The member's own data, and a new password (spec R076, V134). Contact data and the password change only with
// the current password.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { ResponseOf } from '../../api/openapiTypes'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { namedDayFault, namedDayText, namedDayWords } from '../../features/login/day'
import { joinWords } from '../../features/login/joinWords'
import { loggingOut } from '../../features/login/logoutOnArrival'
import { loginWords } from '../../features/login/words'
import { ko } from '../../i18n/ko'
import { validationWords } from '../../i18n/validationWords'
import { loginPath } from '../../lib/loginRedirect'
import { digits } from '../../lib/phone'
import * as rules from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PasswordInput, PhoneInput } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { Notice } from '../../ui/Notice'
import { Switch } from '../../ui/Switch'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { MyPage } from '../MyPage'
import { EmailConfirmation } from './EmailConfirmation'

const ME = '/api/v1/me/info'
const ADVERTISING = '/api/v1/me/advertising'
const t = joinWords

type Me = ResponseOf<'GET', typeof ME>['user']

export function Component() {
  const { data, error, refetch } = useApiQuery(ME)
  return (
    <MyPage title="내 정보" className="max-w-2xl">
      {data ? (
        <Form me={data.user} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-6 grid gap-5">
          <Skeleton className="h-96 rounded-lg" />
          <Skeleton className="h-64 rounded-lg" />
        </Loading>
      )}
    </MyPage>
  )
}

const PERSON = { name: rules.name, nickname: rules.nickname, email: rules.email, phone: rules.phone }
const COMPANY = {
  companyName: rules.companyName,
  ceoName: rules.ceoName,
  businessRegistration: rules.businessNumber,
  licenseCode: rules.licenseCode,
}
const NO_PASSWORD = { currentPassword: '', password: '', password2: '' }

/** A day one names or not, by the kind of member. */
type Day = keyof Pick<Me, 'birthday' | 'foundedAt'>
type About = keyof typeof PERSON | keyof typeof COMPANY | Day
type Values = Record<About | keyof typeof NO_PASSWORD, string>
type Errors = Partial<Record<keyof Values, string>>

/** Fields that need the current password, besides the password itself. */
const PROVEN: About[] = ['email', 'phone']

const isCompany = (me: Me): boolean => me.type === 'COMPANY'
const dayOf = (me: Me): Day => (isCompany(me) ? 'foundedAt' : 'birthday')

/** The fields of the form: a person has no company. */
const fieldsOf = (me: Me): About[] => [
  ...(Object.keys(isCompany(me) ? { ...PERSON, ...COMPANY } : PERSON) as About[]),
  dayOf(me),
]

/** Initial values of the form, without a password. */
const shownOf = (me: Me): Values => ({
  name: me.name,
  nickname: me.nickname,
  email: me.email,
  phone: me.phone,
  companyName: me.companyName ?? '',
  ceoName: me.ceoName ?? '',
  businessRegistration: me.businessRegistration ?? '',
  licenseCode: me.licenseCode ?? '',
  birthday: me.birthday ?? '',
  foundedAt: me.foundedAt ?? '',
  ...NO_PASSWORD,
})

function check(values: Values, me: Me): Errors {
  const found: Errors = rules.failures<keyof Values>(values, {
    ...PERSON,
    ...(isCompany(me) ? COMPANY : {}),
    password: rules.passwordChange,
    [dayOf(me)]: namedDayFault,
  })
  if (values.password !== values.password2) found.password2 = validationWords.passwordAgain
  if (needsProof(values, me) && values.currentPassword === '') found.currentPassword = '현재 비밀번호를 입력해 주세요.'
  return found
}

type Consent = { agrees: boolean; channel: 'MAIL' | 'SMS' }

/** Whether the member agrees to advertising, and to texts. It is saved at once, with its date. */
function Advertising({ me }: { me: Me }) {
  const queryClient = useQueryClient()
  const { mutate, isPending, isSuccess, submittedAt, variables } = useMutation({
    mutationFn: ({ agrees, channel }: Consent) => call('PUT', ADVERTISING, { body: { agrees, channel } }),
    onSuccess: (answer) => queryClient.setQueryData(apiQueryKey(ME), answer),
    onError: (thrown) => void toast(toApiError(thrown).message, { tone: 'error' }),
  })
  return (
    <Card title="광고성 정보 수신">
      <Switch
        label="광고 수신 동의 (선택)"
        text="할인과 행사 소식을 메일과 알림으로 받습니다."
        on={me.advertising}
        onToggle={(agrees) => mutate({ agrees, channel: 'MAIL' })}
        disabled={isPending}
      />
      <Switch
        label="광고 문자 수신 동의 (선택)"
        text="할인과 행사 소식을 문자로도 받습니다."
        on={me.advertisingTexts}
        onToggle={(agrees) => mutate({ agrees, channel: 'SMS' })}
        disabled={isPending}
      />
      {isSuccess && (
        <p role="status" className="mt-3 text-ink-2 text-sm">
          <DateText value={new Date(submittedAt)} />에 {variables.channel === 'SMS' ? '광고 문자' : '광고성 정보'} 수신{' '}
          {variables.agrees ? '동의' : '철회'}를 처리했습니다.
        </p>
      )}
    </Card>
  )
}

/** The changed values, in the request's format. */
function changesOf(values: Values, me: Me): Partial<Record<About, string>> {
  const before = shownOf(me)
  const sent = (field: About, text: string) =>
    field === 'phone' ? digits(text) : field === dayOf(me) ? namedDayText(text) : text.trim()
  const changed = fieldsOf(me).filter((field) => sent(field, values[field]) !== sent(field, before[field]))
  return Object.fromEntries(changed.map((field) => [field, sent(field, values[field])]))
}

const needsProof = (values: Values, me: Me): boolean =>
  values.password !== '' || PROVEN.some((field) => field in changesOf(values, me))

function Form({ me }: { me: Me }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: () => shownOf(me),
    check: (values) => check(values, me),
    send: async (values) => {
      // In one call: a refusal leaves everything unchanged.
      const { password, currentPassword } = values
      const changes = {
        ...changesOf(values, me),
        ...(password !== '' && { password }),
        ...(needsProof(values, me) && { currentPassword }),
      }
      if (Object.keys(changes).length === 0) return 'nothing'
      queryClient.setQueryData(apiQueryKey(ME), await call('PUT', ME, { body: changes }))
      return password !== '' ? 'password' : 'profile'
    },
    onSent: async (changed) => {
      if (changed === 'nothing') return void toast('바뀐 내용이 없습니다.')
      if (changed === 'profile') {
        form.set({ currentPassword: '' })
        void toast('내 정보를 저장했습니다.', { tone: 'success' })
        return
      }
      // The server has ended every session, including this one.
      const message = '비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.'
      await navigate(loginPath('/mypage/myinfo'), { state: loggingOut({ message, tone: 'success', isEnded: true }) })
    },
    refused: (error) => (error.code === 'nickname_taken' ? { nickname: error.message } : undefined),
  })
  const { values, errors } = form
  const row = (field: keyof Values, label: string, control: ReactNode, hint?: string) => (
    <Field
      label={label}
      error={errors[field]}
      hint={hint}
      required={field === 'currentPassword' || !(field in NO_PASSWORD || field === dayOf(me))}
      className="[&_input]:w-full"
    >
      {control}
    </Field>
  )
  const text = (field: keyof Values, autoComplete: string, type?: 'email') => (
    <Input type={type} autoComplete={autoComplete} autoCapitalize="none" {...form.text(field)} />
  )
  const secret = (field: keyof Values, autoComplete: string) => (
    <PasswordInput autoComplete={autoComplete} {...form.text(field)} />
  )

  return (
    <form {...form.formProps} className="mt-6 grid gap-5">
      {me.emailStopped && (
        <Notice tone="warning">
          등록하신 이메일 주소로 메일이 전달되지 않아 발송을 중단했습니다. 주소를 확인하고 바꿔 주세요. 주소가 맞다면
          고객센터에 알려 주세요.
        </Notice>
      )}
      <Card title="회원 정보">
        <dl className="mb-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-3 text-sm">
          <dt className="text-ink-2">{loginWords.username}</dt>
          <dd className="font-semibold">{me.username}</dd>
          <EmailConfirmation key={me.email} email={me.email} isConfirmed={me.emailConfirmed} />
        </dl>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {row('name', t.name, text('name', 'name'))}
          {row('nickname', t.nickname, text('nickname', 'nickname'), rules.HINTS.nickname)}
          {row('email', t.email, text('email', 'email', 'email'))}
          {row('phone', t.phone, <PhoneInput value={values.phone} onValueChange={(phone) => form.set({ phone })} />)}
          {isCompany(me) && (
            <>
              {row('companyName', t.companyName, text('companyName', 'organization'))}
              {row('ceoName', t.ceoName, text('ceoName', 'off'))}
              {row('businessRegistration', t.businessNumber, text('businessRegistration', 'off'))}
              {row('licenseCode', t.licenseCode, text('licenseCode', 'off'))}
            </>
          )}
          {row(
            dayOf(me),
            namedDayWords[dayOf(me)],
            text(dayOf(me), isCompany(me) ? 'off' : 'bday'),
            namedDayWords.hint,
          )}
        </div>
      </Card>
      <Card title="비밀번호 변경">
        <p className="mb-5 text-ink-2 text-sm">
          변경하지 않으려면 비워 두세요. 변경하면 모든 기기에서 로그아웃되고, 새 비밀번호로 다시 로그인합니다.
        </p>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {row('password', '새 비밀번호', secret('password', 'new-password'), rules.HINTS.password)}
          {row('password2', '새 비밀번호 확인', secret('password2', 'new-password'))}
        </div>
      </Card>
      {needsProof(values, me) && (
        <Card title="본인 확인">
          <p className="mb-5 text-ink-2 text-sm">
            이메일, 휴대폰 번호, 비밀번호를 바꾸려면 현재 비밀번호가 필요합니다.
          </p>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            {row('currentPassword', '현재 비밀번호', secret('currentPassword', 'current-password'))}
          </div>
        </Card>
      )}
      <Advertising me={me} />
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Button type="submit" size="lg" busy={form.isPending}>
          {ko.action.save}
        </Button>
        <Link to="/mypage/leave" className="rounded-xs text-ink-3 text-sm hover:text-ink hover:underline">
          회원 탈퇴
        </Link>
      </div>
    </form>
  )
}
