// State of a sending, how many have had their turn, and when the next do.
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { ProgressBar } from '../../ui/ProgressBar'
import type { Sending } from './api'
import { sendingWords as t } from './words'

const TONES = {
  PLANNED: 'busy',
  SENDING: 'busy',
  DONE: 'good',
  STOPPED: 'bad',
  WITHDRAWN: 'bad',
} as const satisfies Record<Sending['state'], string>

export function SendingProgress({ sending: { state, served, members, skipped, dueAt } }: { sending: Sending }) {
  return (
    <span className="grid min-w-40 gap-1.5">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[state]}>{t.states[state]}</Badge>
        <span className="figures text-ink-2 text-xs">
          {t.progress(served, members)}
          {skipped > 0 && ` · ${t.skipped(skipped)}`}
        </span>
      </span>
      <ProgressBar value={served} max={members} label={t.progress(served, members)} />
      {dueAt && (
        <span className="text-ink-3 text-xs">
          {t.next} <DateText value={dueAt} style="datetime" className="figures" />
        </span>
      )}
    </span>
  )
}
