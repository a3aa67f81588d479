// A member found by nickname, with a link if they sell something.
import { ChevronRight, Store, User } from 'lucide-react'
import { joinWords } from '../../features/login/joinWords'
import { cn } from '../../lib/cn'
import { Link } from '../../ui/Link'
import type { UserCard } from './useUsers'

export function UserRow({ user }: { user: UserCard }) {
  const Icon = user.type === 'COMPANY' ? Store : User
  return (
    <div
      className={cn(
        'relative flex items-center gap-3 rounded-lg border border-line bg-raised p-4',
        user.sells && 'hover:border-ink',
      )}
    >
      <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-2">
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        {user.sells ? (
          <Link
            to={`/shop/products?_seller=${user._id}`}
            className="block truncate rounded-xs font-semibold after:absolute after:inset-0 after:rounded-lg"
          >
            {user.nickname}
          </Link>
        ) : (
          <span className="block truncate font-semibold">{user.nickname}</span>
        )}
        <span className="text-ink-3 text-sm">{user.type === 'COMPANY' ? joinWords.company : joinWords.person}</span>
      </span>
      {user.sells && <ChevronRight aria-hidden className="size-5 text-ink-3" />}
    </div>
  )
}
