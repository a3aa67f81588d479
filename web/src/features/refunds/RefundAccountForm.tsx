// Asks for the bank account a refused refund goes to: of the buyer, and of staff who write down what the buyer named.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toApiError } from '../../api/errors'
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'
import { type Account, accountDigits, BankAccountFields, bankAccountErrors, NO_ACCOUNT } from './BankAccountFields'

type RefundAccountFormProps = {
  /** Gives the account to the server. */
  send: (account: Account) => Promise<unknown>
  /** The server has it; what is read again is waited for. */
  onDone?: () => unknown
}

export function RefundAccountForm({ send, onDone }: RefundAccountFormProps) {
  const [account, setAccount] = useState<Account>(NO_ACCOUNT)
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const [failure, setFailure] = useState<string>()
  const give = useMutation({
    meta: { suppressToast: true },
    mutationFn: () => send({ ...account, accountNumber: accountDigits(account.accountNumber) }),
    onSuccess: async () => {
      void toast('환불 계좌를 변경했습니다. 환불을 다시 요청합니다.', { tone: 'success' })
      await onDone?.()
    },
    onError: (thrown) => {
      const error = toApiError(thrown)
      setErrors(error.byField())
      // What belongs to no field here is said below them.
      const isShown = error.fields.some(({ field }) => field in bankAccountErrors(account))
      setFailure(isShown || error.alerted ? undefined : error.message)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (give.isPending) return
    const found = bankAccountErrors(account)
    setErrors(found)
    setFailure(undefined)
    if (Object.values(found).every((fault) => !fault)) give.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <BankAccountFields value={account} onValueChange={setAccount} errors={errors} />
      {failure && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {failure}
        </p>
      )}
      <Button type="submit" className="mt-4" busy={give.isPending}>
        환불 계좌 등록
      </Button>
    </form>
  )
}
