// Joining, the last step: welcome, and a link to the login. Visitors who did not just join are redirected to the first step.
import { CircleCheck } from 'lucide-react'
import { useLocation } from 'react-router'
import { joinWords } from '../../features/login/joinWords'
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'
import { type JOINED, Step } from './Step'

export function Component() {
  const t = joinWords
  const state: Partial<typeof JOINED> | null = useLocation().state
  const joined = state?.joined === true
  return (
    <Step at={joined ? 3 : 0} title={joined ? t.doneTitle : t.title} text={joined ? t.doneText : t.notYet}>
      {joined && <CircleCheck aria-hidden className="mb-8 size-14 stroke-[1.4] text-success" />}
      <div className="grid gap-2 sm:grid-cols-2">
        <ButtonLink to={joined ? '/login' : '/join'} size="lg">
          {joined ? ko.action.login : t.title}
        </ButtonLink>
        <ButtonLink to={joined ? '/' : '/login'} size="lg" variant="outline">
          {joined ? ko.action.home : ko.action.login}
        </ButtonLink>
      </div>
    </Step>
  )
}
