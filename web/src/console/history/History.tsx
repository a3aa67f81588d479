// The history of an entity, by day, newest first: time, actor, reason, command and cause. For orders and records.
import type { ReactNode } from 'react'
import { grouped } from '../../i18n/number'
import { formatDate } from '../../lib/date'
import type { Tone } from '../../lib/order-status'
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { Timeline } from '../../ui/Timeline'
import { LedgerLink } from '../ledgers/LedgerLink'
import type { HistoryEvent } from '../types'
import { eventId, streamTitle } from './links'
import { timeTravelWords } from './timeTravelWords'
import { historyWords } from './words'

const t = historyWords

/** The actor, as text. */
export function actorText(actor: HistoryEvent['actor']): string {
  if (!actor) return '-'
  const kind = t.actors[actor.kind] ?? actor.kind
  return actor.name ? `${t.names[actor.name] ?? actor.name} (${kind})` : kind
}

const BAD = /Refused|Rejected|Removed/
const WAITING = /Canceled|Cancel|Unknown|Delayed|Abandoned|Refund/
const GOOD = /Completed|Delivered|Paid|Approved$/

export function toneOf(type: string): Tone {
  if (BAD.test(type)) return 'bad'
  if (GOOD.test(type) && !type.startsWith('Cancel')) return 'good'
  return WAITING.test(type) ? 'warning' : 'quiet'
}

/** Events by day in Seoul, newest day and newest event first. */
export function byDay(events: readonly HistoryEvent[]): { day: string; events: HistoryEvent[] }[] {
  const days: { day: string; events: HistoryEvent[] }[] = []
  for (const event of [...events].sort((a, b) => b.position - a.position)) {
    const day = formatDate(event.at, 'date')
    const last = days.at(-1)
    if (last?.day === day) last.events.push(event)
    else days.push({ day, events: [event] })
  }
  return days
}

type HistoryProps = {
  events: readonly HistoryEvent[]
  /** The event currently shown elsewhere on the page. */
  current?: number
  /** Actions on an event (view that moment, restore that version). */
  actions?: (event: HistoryEvent) => ReactNode
  /** More about an event, before its raw content. */
  details?: (event: HistoryEvent) => ReactNode
}

export function History({ events, current, actions, details }: HistoryProps) {
  const idOf = (event: HistoryEvent) => eventId(event.position)
  const causes = new Map(events.flatMap((event) => (event.eventId ? [[event.eventId, event]] : [])))
  return (
    <div className="grid gap-6">
      {byDay(events).map(({ day, events: ofDay }) => (
        <section key={day} aria-label={day}>
          <h3 className="mb-3 font-semibold text-ink-2 text-sm">
            {day} <span className="font-normal">{formatDate(ofDay[0]?.at ?? '', 'long').replace(/^.*\(/, '(')}</span>
          </h3>
          <Timeline
            label={day}
            dates="time"
            items={ofDay.map((event) => ({
              key: String(event.position),
              at: event.at,
              tone: toneOf(event.type),
              title: (
                <span id={idOf(event)} tabIndex={-1} className="scroll-mt-20">
                  {event.title}{' '}
                  {current === event.position && <Badge tone="ink">{timeTravelWords.looking.slice(0, 2)}</Badge>}
                </span>
              ),
              text: (
                <EventText
                  event={event}
                  cause={event.causationId ? (causes.get(event.causationId) ?? null) : undefined}
                  hrefOf={(cause) => `#${idOf(cause)}`}
                  details={details?.(event)}
                  actions={actions?.(event)}
                />
              ),
            }))}
          />
        </section>
      ))}
    </div>
  )
}

type EventTextProps = {
  event: HistoryEvent
  /** The event that caused it; null when that is in no ledger shown here. */
  cause: HistoryEvent | null | undefined
  hrefOf: (event: HistoryEvent) => string
  details: ReactNode
  actions: ReactNode
}

function EventText({ event, cause, hrefOf, details, actions }: EventTextProps) {
  return (
    <>
      <p>
        {actorText(event.actor)}
        {event.reason && (
          <>
            {' · '}
            <span className="text-ink">“{event.reason}”</span>
          </>
        )}
      </p>
      {cause && (
        <p>
          {t.cause}:{' '}
          <a href={hrefOf(cause)} className="underline underline-offset-4 hover:text-accent">
            {cause.title}
          </a>
        </p>
      )}
      {!cause && event.command && (
        <p className="text-ink-3">
          {t.command}: {event.commandTitle ?? event.command}
        </p>
      )}
      {details}
      <div className="flex flex-wrap items-start gap-x-3">
        <details className="mt-1 open:basis-full">
          <summary className="cursor-pointer select-none rounded-xs py-1 text-ink-3 hover:text-ink">{t.data}</summary>
          <dl className="mt-2 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-md bg-sunken p-3 text-xs">
            <Row name={t.stream}>
              <LedgerLink stream={event.stream}>{streamTitle(event.stream.kind)}</LedgerLink> ·{' '}
              {t.version(event.version)}
            </Row>
            <Row name={t.position}>{grouped(event.position)}</Row>
            <Row name={t.recordedAt}>
              <DateText value={event.recordedAt} style="second" />
            </Row>
            {event.command && <Row name={t.command}>{event.commandTitle ?? event.command}</Row>}
            {event.commandId && <Row name={t.commandId}>{event.commandId}</Row>}
            {event.correlationId && <Row name={t.correlationId}>{event.correlationId}</Row>}
            {cause === null && <Row name={t.cause}>{`${t.causeUnknown} ${event.causationId}`}</Row>}
            {event.data !== undefined && (
              <Row name={t.contents}>
                {event.type}
                <Data value={event.data} />
              </Row>
            )}
          </dl>
        </details>
        {actions}
      </div>
    </>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="break-words text-ink-3">{name}</dt>
    <dd className="figures min-w-0 break-words">{children}</dd>
  </>
)

/** The raw JSON of a document. */
const Data = ({ value }: { value: unknown }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content has to be reachable by keyboard
    tabIndex={0}
    className="max-h-64 overflow-auto whitespace-pre-wrap break-words font-sans"
  >
    {JSON.stringify(value, null, 2)}
  </pre>
)
