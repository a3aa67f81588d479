// Joining, the end: welcome, and on to the login. Who has not just joined begins at the beginning.
import { CircleCheck } from 'lucide-react'
import { Navigate, useLocation } from 'react-router'
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'
import { type JOINED, Step } from './parts'

export function Component() {
  const t = ko.join
  const told: Partial<typeof JOINED> | null = useLocation().state
  if (!told?.joined) return <Navigate to="/join" replace />
  return (
    <Step at={3} title={t.doneTitle} text={t.doneText}>
      <CircleCheck aria-hidden className="mb-8 size-14 stroke-[1.4] text-success" />
      <div className="grid gap-2 sm:grid-cols-2">
        <ButtonLink to="/login" size="lg">
          {ko.action.login}
        </ButtonLink>
        <ButtonLink to="/" size="lg" variant="outline">
          {ko.action.home}
        </ButtonLink>
      </div>
    </Step>
  )
}
