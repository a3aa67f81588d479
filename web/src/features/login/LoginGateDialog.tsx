// A dialog for members: it shows guests a login card, and members of another kind that it is not for them (spec V198-V200).
import { Lock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type UserType, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { EmptyState } from '../../ui/states'
import { joinWords } from './joinWords'
import { LoginForm } from './LoginForm'

const KINDS: Record<UserType, string> = { PERSON: joinWords.person, COMPANY: joinWords.company, OPERATOR: '운영자' }

type LoginGateDialogProps = ComponentProps<typeof Dialog> & {
  /** The allowed kinds of members; default: all. */
  userTypes?: readonly UserType[]
}

export function LoginGateDialog({ userTypes, children, footer, ...dialog }: LoginGateDialogProps) {
  const loggedIn = useSession((s) => s.refreshToken !== undefined)
  const kind = useSession((s) => s.payload?.userType)
  if (!loggedIn)
    return (
      <Dialog {...dialog} width="sm" description={ko.session.loginRequiredMenu}>
        {/* After the login the dialog shows its own content. */}
        <LoginForm onDone={() => undefined} />
      </Dialog>
    )
  if (userTypes && !(kind && userTypes.includes(kind)))
    return (
      <Dialog {...dialog} width="sm">
        <EmptyState
          icon={<Lock />}
          title={`${kind ? KINDS[kind] : ''} 계정으로는 이용할 수 없는 기능입니다`}
          text={`${userTypes.map((one) => KINDS[one]).join(', ')}만 이용할 수 있습니다.`}
          action={
            <Button variant="outline" onClick={() => dialog.onOpenChange(false)}>
              {ko.action.close}
            </Button>
          }
        />
      </Dialog>
    )
  return (
    <Dialog {...dialog} footer={footer}>
      {children}
    </Dialog>
  )
}
