// Joining, step 1: a person, or a company that sells.
import { Building2, ChevronRight, User } from 'lucide-react'
import { AlternativeLink } from '../../features/login/AlternativeLink'
import { joinWords } from '../../features/login/joinWords'
import { loginWords } from '../../features/login/words'
import { ko } from '../../i18n/ko'
import { Link } from '../../ui/Link'
import { Step } from './Step'

const t = joinWords
const KINDS = [
  { type: 'PERSON', icon: User, name: t.person, text: t.personText },
  { type: 'COMPANY', icon: Building2, name: t.company, text: t.companyText },
]

export function Component() {
  return (
    <Step at={0} title={t.title} text={t.choose}>
      <ul className="grid gap-3">
        {KINDS.map(({ type, icon: Icon, name, text }) => (
          <li key={type}>
            <Link
              to={`/join/agreement?type=${type}`}
              className="flex items-center gap-4 rounded-lg border border-line-strong bg-raised p-5 transition-colors hover:border-ink hover:bg-sunken"
            >
              <Icon aria-hidden className="size-7 shrink-0 stroke-[1.6] text-accent" />
              <span className="flex-1">
                <span className="block font-bold text-lg">{name}</span>
                <span className="text-ink-2 text-sm">{text}</span>
              </span>
              <ChevronRight aria-hidden className="size-5 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-8">
        <AlternativeLink question={loginWords.already} to="/login" label={ko.action.login} />
      </div>
    </Step>
  )
}
