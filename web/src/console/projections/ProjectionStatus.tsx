// One follower of the log: its progress, why it is stopped, and the available actions.
import type { components } from '../../api/schema.gen'
import { grouped } from '../../i18n/number'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Notice } from '../../ui/Notice'
import { ProgressBar } from '../../ui/ProgressBar'
import { ledgerHref, streamTitle } from '../history/links'
import { LagSparkline } from './LagSparkline'
import { words as t } from './words'

export type Row = components['schemas']['ProjectionRow']
export type ProjectionAction = 'rebuild' | 'back' | 'resume'
type Rebuild = NonNullable<Row['rebuild']>

const TONES = { live: 'good', failing: 'warning', stopped: 'bad', rebuilding: 'busy' } as const

type ProjectionStatusProps = {
  row: Row
  lags: readonly number[]
  busy: boolean
  onAct: (act: ProjectionAction) => void
}

export function ProjectionStatus({ row, lags, busy, onAct }: ProjectionStatusProps) {
  const held = row.parkedStreams > 0
  const stands = row.state === 'stopped' || row.state === 'failing'
  const rebuilding = row.state === 'rebuilding'
  return (
    <Card
      headingLevel={3}
      title={row.title}
      className="min-w-0"
      headerAction={
        <span className="flex flex-wrap justify-end gap-1.5">
          {held && <Badge tone="warning">{t.parkedList}</Badge>}
          <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge>
        </span>
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
            <div>
              <dt className="text-ink-2">{t.position}</dt>
              <dd className="figures font-semibold">{grouped(row.position)}</dd>
            </div>
            <div>
              <dt className="text-ink-2">{t.lag}</dt>
              <dd className="figures font-semibold">{t.lagOf(row.kind, row.lag.events, row.lag.seconds)}</dd>
            </div>
          </dl>
          <LagSparkline values={lags} />
        </div>
        {stands && <StateBadge row={row} />}
        {held && <ParkedNotice row={row} />}
        {row.rebuild && <Progress rebuild={row.rebuild} name={row.title} />}
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-auto text-ink-2 text-xs">
            {row.name}
            {row.version > 0 && ` · ${t.version(row.version)}`}
          </span>
          {(stands || held) && row.kind !== 'search' && (
            <Button size="sm" busy={busy} onClick={() => onAct('resume')}>
              {t.resume}
            </Button>
          )}
          {row.keptAt && (
            <Button size="sm" variant="ghost" disabled={busy || rebuilding} onClick={() => onAct('back')}>
              {t.back}
            </Button>
          )}
          {row.kind !== 'policy' && (
            <Button size="sm" variant="outline" disabled={busy || rebuilding} onClick={() => onAct('rebuild')}>
              {t.rebuild}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

function StateBadge({ row }: { row: Row }) {
  const stopped = row.state === 'stopped'
  return (
    <Notice tone={stopped ? 'bad' : 'warning'}>
      <p>{stopped || row.kind === 'search' ? t.stopped[row.kind] : t.failing}</p>
      {row.failingSince && (
        <p className="mt-1">
          <DateText value={row.failingSince} style="datetime" /> {t.since}
        </p>
      )}
      {row.error && <p className="mt-2 break-words font-mono text-xs">{row.error}</p>}
      {stopped && <p className="mt-2 font-semibold">{t.advice}</p>}
    </Notice>
  )
}

function ParkedNotice({ row }: { row: Row }) {
  const more = row.parkedStreams - row.parked.length
  return (
    <Notice tone="warning">
      <p>{t.parked(row.parkedStreams, row.heldEvents)}</p>
      <ul aria-label={t.parkedList} className="mt-2 grid gap-2">
        {row.parked.map((parked) => (
          <li key={`${parked.kind}/${parked._id}`} className="min-w-0">
            <ParkedStream kind={parked.kind} id={parked._id} />
            <p>{t.parkedOf(parked.eventType, parked.position, parked.heldEvents)}</p>
            <p className="break-words font-mono text-xs">{parked.error}</p>
          </li>
        ))}
        {more > 0 && <li>{t.more(more)}</li>}
      </ul>
      <p className="mt-2 font-semibold">{t.advice}</p>
    </Notice>
  )
}

/** A stream that is held back: its title with a link to its ledger, and its id. */
function ParkedStream({ kind, id }: { kind: string; id: string }) {
  const to = ledgerHref({ kind, id })
  const title = streamTitle(kind)
  return (
    <p className="break-all">
      {to ? (
        <Link to={to} className="font-semibold underline underline-offset-2">
          {title}
        </Link>
      ) : (
        <span className="font-semibold">{title}</span>
      )}{' '}
      <span className="text-xs">{id}</span>
    </p>
  )
}

function Progress({ rebuild, name }: { rebuild: Rebuild; name: string }) {
  const { act, phase, done, total, rate, secondsLeft, endedAt, error } = rebuild
  const statusText = `${t.acts[act] ?? act}: ${t.phases[phase] ?? phase}`
  if (phase === 'done') {
    return (
      <p className="text-ink-2 text-sm">
        {statusText}
        {endedAt && (
          <>
            {' · '}
            <DateText value={endedAt} style="datetime" />
          </>
        )}
        {rate > 0 && act === 'rebuild' && ` · ${t.rate(rate)}`}
      </p>
    )
  }
  if (phase === 'failed' || phase === 'cut-off') {
    return (
      <Notice tone="warning">
        <p>{statusText}</p>
        <p className="mt-1 break-words">{error ?? t.lost}</p>
      </Notice>
    )
  }
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{statusText}</span>
        <span className="figures text-ink-2">
          {[t.progress(done, total), rate > 0 && t.rate(rate), secondsLeft != null && t.left(secondsLeft)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <ProgressBar label={`${name} ${t.acts[act] ?? act}`} value={done} max={Math.max(1, total)} />
    </div>
  )
}
