// A link below a form to an alternative ("not a member yet?").
import { Link } from '../../ui/Link'

type AlternativeLinkProps = {
  question: string
  to: string
  /** Text of the link. */
  label: string
}

export function AlternativeLink({ question, to, label }: AlternativeLinkProps) {
  return (
    <p className="text-center text-ink-2">
      {question}{' '}
      <Link to={to} className="font-semibold text-ink underline underline-offset-4 hover:text-accent">
        {label}
      </Link>
    </p>
  )
}
