// A link to the history of a ledger or record; only its name without permission, or without such a page.
import type { ReactNode } from 'react'
import { useSession } from '../../api/session'
import { Link } from '../../ui/Link'
import { ledgerHref } from '../history/links'

export function LedgerLink({ stream, children }: { stream: { kind: string; id: string }; children: ReactNode }) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const to = ledgerHref(stream)
  if (!isStaff || !to) return children
  return (
    <Link to={to} className="underline underline-offset-4 hover:text-accent">
      {children}
    </Link>
  )
}
