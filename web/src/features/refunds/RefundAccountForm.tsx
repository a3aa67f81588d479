// Asks for the bank account of a refused refund: used by the buyer, and by staff who enter the account the buyer named.
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { PasswordInput } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { useForm } from '../forms/useForm'
import { type Account, accountDigits, BankAccountFields, bankAccountErrors, NO_ACCOUNT } from './BankAccountFields'

type RefundAccountFormProps = {
  /** Whether the current password is asked for: of members, for their own orders. */
  isConfirmed?: boolean
  /** Sends the account to the server, with the current password if it is asked for. */
  send: (account: Account, currentPassword: string) => Promise<unknown>
  /** Called after the server accepted it; awaited, for refetching. */
  onDone?: () => unknown
}

export function RefundAccountForm({ isConfirmed = false, send, onDone }: RefundAccountFormProps) {
  const form = useForm({
    initial: { account: NO_ACCOUNT, currentPassword: '' },
    check: ({ account, currentPassword }) => ({
      ...bankAccountErrors(account),
      ...(isConfirmed && currentPassword === '' && { currentPassword: '현재 비밀번호를 입력해 주세요.' }),
    }),
    send: ({ account, currentPassword }) =>
      send({ ...account, accountNumber: accountDigits(account.accountNumber) }, currentPassword),
    onSent: async () => {
      void toast('환불 계좌를 등록했습니다.', { tone: 'success' })
      await onDone?.()
    },
  })
  return (
    <form {...form.formProps}>
      <BankAccountFields
        value={form.values.account}
        onValueChange={(account) => form.set({ account })}
        errors={form.errors}
      />
      {isConfirmed && (
        <Field label="현재 비밀번호" required error={form.errors.currentPassword} className="mt-4">
          <PasswordInput autoComplete="current-password" {...form.text('currentPassword')} />
        </Field>
      )}
      {form.errors.form && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {form.errors.form}
        </p>
      )}
      <Button type="submit" className="mt-4" busy={form.isPending}>
        환불 계좌 등록
      </Button>
    </form>
  )
}
