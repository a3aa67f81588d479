// The state of a grant, and what can be done with it.
import { useState } from 'react'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { nameOf } from '../benefits/fields'
import type { PointGrant } from '../benefits/types'
import { isOpen, LastDayDialog, TakeDialog } from './commands'
import { pointWords as t } from './words'

export function GrantBadge({ grant: { flags, amount_left } }: { grant: PointGrant }) {
  if (flags.expired) return <Badge>{t.states.EXPIRED}</Badge>
  if (amount_left > 0) return <Badge tone="good">{t.states.LEFT}</Badge>
  return flags.taken ? <Badge tone="bad">{t.takenBadge}</Badge> : <Badge>{t.states.USED_UP}</Badge>
}

export function GrantActions({ grant }: { grant: PointGrant }) {
  const [open, setOpen] = useState<'take' | 'day'>()
  const close = () => setOpen(undefined)
  if (!isOpen(grant)) return null
  const of = (action: string) => `${nameOf(grant)} ${action}`
  return (
    <span className="flex flex-wrap justify-end gap-1">
      <Button size="sm" variant="outline" aria-label={of(t.changeDay)} onClick={() => setOpen('day')}>
        {t.changeDay}
      </Button>
      <Button size="sm" variant="danger" aria-label={of(t.take)} onClick={() => setOpen('take')}>
        {t.take}
      </Button>
      {open === 'take' && <TakeDialog grant={grant} onClose={close} />}
      {open === 'day' && <LastDayDialog grant={grant} onClose={close} />}
    </span>
  )
}
