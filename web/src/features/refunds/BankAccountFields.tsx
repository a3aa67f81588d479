// The bank account for a refund: bank, number and holder, by the order form's own field names.

import { useApiQuery } from '../../api/query'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { PAY_CONFIG } from '../payment/api'

export type Account = { code: string; accountNumber: string; accountHolder: string }

export const NO_ACCOUNT: Account = { code: '', accountNumber: '', accountHolder: '' }

const NUMBER = /^\d{8,16}$/

export const accountDigits = (text: string): string => text.replace(/[- ]/g, '')

/** Validation errors of an account, by field. */
export const bankAccountErrors = (account: Account): Record<string, string | undefined> => ({
  'account.code': account.code ? undefined : '은행을 선택해 주세요.',
  'account.accountNumber': NUMBER.test(accountDigits(account.accountNumber))
    ? undefined
    : '계좌번호를 숫자 8~16자리로 입력해 주세요.',
  'account.accountHolder': account.accountHolder.trim().length > 1 ? undefined : '예금주를 두 글자 이상 입력해 주세요.',
})

type Props = {
  value: Account
  onValueChange: (account: Account) => void
  errors: Readonly<Record<string, string | undefined>>
}

const BANKS = {
  choose: '은행 선택',
  reading: '은행 목록을 불러오는 중…',
  failed: '은행 목록을 불러오지 못했습니다. 다시 불러와 주세요.',
  none: '지금은 선택할 수 있는 은행이 없습니다. 잠시 후 다시 불러오거나 고객센터로 알려 주세요.',
  again: '은행 목록 다시 불러오기',
}

type BankFieldProps = { value: string; onValueChange: (code: string) => void; error: string | undefined }

/** The bank. Without the list of banks nothing can be chosen, so this shows the error and a retry. */
function BankField({ value, onValueChange, error }: BankFieldProps) {
  const { data, isFetching, refetch } = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY })
  const banks = (data?.config.banks ?? []).map(({ code, name }) => ({ value: code, label: name }))
  const lacking = banks.length > 0 || isFetching ? undefined : data ? BANKS.none : BANKS.failed
  return (
    <div className="grid content-start gap-2">
      <Field label="환불 은행" required error={lacking ?? error}>
        <Select
          options={banks}
          placeholder={isFetching && !data ? BANKS.reading : BANKS.choose}
          aria-busy={isFetching}
          disabled={banks.length === 0}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
        />
      </Field>
      {lacking && (
        <Button size="sm" variant="outline" className="justify-self-start" onClick={() => void refetch()}>
          {BANKS.again}
        </Button>
      )}
    </div>
  )
}

export function BankAccountFields({ value, onValueChange, errors }: Props) {
  const set = (part: Partial<Account>) => onValueChange({ ...value, ...part })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <BankField value={value.code} onValueChange={(code) => set({ code })} error={errors['account.code']} />
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
