// Asks for the bank account of a refused refund: used by the buyer, and by staff who enter the account the buyer named.
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'
import { useForm } from '../forms/useForm'
import { type Account, accountDigits, BankAccountFields, bankAccountErrors, NO_ACCOUNT } from './BankAccountFields'

type RefundAccountFormProps = {
  /** Sends the account to the server. */
  send: (account: Account) => Promise<unknown>
  /** Called after the server accepted it; awaited, for refetching. */
  onDone?: () => unknown
}

export function RefundAccountForm({ send, onDone }: RefundAccountFormProps) {
  const form = useForm({
    initial: { account: NO_ACCOUNT },
    check: ({ account }) => bankAccountErrors(account),
    send: ({ account }) => send({ ...account, accountNumber: accountDigits(account.accountNumber) }),
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
