// Joining, the end: welcome, and on to the login.
import { CircleCheck } from 'lucide-react'
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'
import { Step } from './parts'

export function Component() {
  const t = ko.join
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
