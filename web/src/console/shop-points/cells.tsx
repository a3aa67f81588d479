// How far a bulk grant is.
import { Badge } from '../../ui/Badge'
import { ProgressBar } from '../../ui/ProgressBar'
import type { AnyGrant } from './api'
import { bulkWords as t } from './words'

export function GrantProgress({ grant: { given, leftOut, refused = 0, members, flags } }: { grant: AnyGrant }) {
  return (
    <span className="grid gap-1.5">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={flags.stopped ? 'bad' : flags.done ? 'good' : 'busy'}>
          {flags.stopped
            ? flags.done
              ? t.states.stopped
              : t.states.stopping
            : flags.done
              ? t.states.done
              : t.states.going}
        </Badge>
        <span className="figures text-ink-2 text-xs">
          {t.progress(given, members)}
          {leftOut > 0 && ` · ${t.leftOut(leftOut)}`}
          {refused > 0 && ` · ${t.refused(refused)}`}
        </span>
      </span>
      <ProgressBar value={given} max={members} label={t.progress(given, members)} />
    </span>
  )
}
