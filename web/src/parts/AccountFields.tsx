// The bank account a refund goes to: bank, number and holder, by the order form's own field names.
import { PAY_CONFIG } from '../api/payment'
import { useRead } from '../api/read'
import { Field } from '../ui/Field'
import { Input, Select } from '../ui/Input'

export type Account = { code: string; accountNumber: string; accountHolder: string }

export const NO_ACCOUNT: Account = { code: '', accountNumber: '', accountHolder: '' }

const NUMBER = /^\d{8,16}$/

export const accountDigits = (text: string): string => text.replace(/[- ]/g, '')

/** What is wrong with an account, by field. */
export const accountFaults = (account: Account): Record<string, string | undefined> => ({
  'account.code': account.code ? undefined : '은행을 선택해 주세요.',
  'account.accountNumber': NUMBER.test(accountDigits(account.accountNumber))
    ? undefined
    : '계좌번호를 숫자 8~16자리로 입력해 주세요.',
  'account.accountHolder': account.accountHolder.trim().length > 1 ? undefined : '예금주를 두 글자 이상 입력해 주세요.',
})

type Props = {
  value: Account
  onValue: (account: Account) => void
  errors: Readonly<Record<string, string | undefined>>
}

export function AccountFields({ value, onValue, errors }: Props) {
  const { data } = useRead(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY })
  const banks = (data?.config.banks ?? []).map(({ code, name }) => ({ value: code, label: name }))
  const set = (part: Partial<Account>) => onValue({ ...value, ...part })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="환불 은행" required error={errors['account.code']}>
        <Select
          options={banks}
          placeholder="은행 선택"
          value={value.code}
          onChange={(event) => set({ code: event.target.value })}
        />
      </Field>
      <Field label="예금주" required error={errors['account.accountHolder']}>
        <Input
          autoComplete="off"
          maxLength={10}
          value={value.accountHolder}
          onChange={(event) => set({ accountHolder: event.target.value })}
        />
      </Field>
      <Field label="환불 계좌번호" required error={errors['account.accountNumber']} className="sm:col-span-2">
        <Input
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
          value={value.accountNumber}
          onChange={(event) => set({ accountNumber: event.target.value })}
        />
      </Field>
    </div>
  )
}
