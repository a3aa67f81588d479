// Whether the member's e-mail address is confirmed, and the mail that confirms it.
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'

type EmailConfirmationProps = {
  /** The saved address. */
  email: string
  isConfirmed: boolean
}

export function EmailConfirmation({ email, isConfirmed }: EmailConfirmationProps) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => call('POST', '/api/v1/me/email/confirmation'),
    onError: (thrown) => void toast(toApiError(thrown).message, { tone: 'error' }),
  })
  return (
    <>
      <dt className="text-ink-2">이메일 확인</dt>
      <dd className="grid justify-items-start gap-2">
        <span className="flex flex-wrap items-center gap-2">
          <span className="break-all">{email}</span>
          <Badge tone={isConfirmed ? 'good' : 'warning'}>{isConfirmed ? '확인됨' : '확인 전'}</Badge>
        </span>
        {!isConfirmed && (
          <>
            <Button variant="outline" size="sm" busy={isPending} onClick={() => mutate()}>
              {isSuccess ? '확인 메일 다시 받기' : '확인 메일 받기'}
            </Button>
            {isSuccess && (
              <p role="status" className="text-ink-2">
                메일을 보냈습니다. 메일에 있는 주소는 24시간 동안 한 번만 사용할 수 있습니다.
              </p>
            )}
          </>
        )}
      </dd>
    </>
  )
}
