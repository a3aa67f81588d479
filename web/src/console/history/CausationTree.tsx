// The causation tree: every command under the event that caused it, its events under it, across all ledgers.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { pageCount } from '../../lib/pagination'
import { DateText } from '../../ui/DateText'
import { Pagination } from '../../ui/Pagination'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { LedgerLink } from '../ledgers/LedgerLink'
import type { Causes as Answer, HistoryEvent, Ledger } from '../types'
import { causationWords } from './causationWords'
import { actorText } from './History'
import { eventId, streamTitle } from './links'

const t = causationWords

/** Page size of orders, for events of commands on many. */
const SIZE = 20

type Command = Answer['acts'][number]
type Chain = { acts: readonly Command[]; eventAt: ReadonlyMap<number, HistoryEvent> }

type CausesProps = {
  subject: Ledger
  id: string
  position?: number | undefined
}

export function CausationTree({ subject, id, position }: CausesProps) {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useApiQuery(
    '/api/console/history/{subject}/{id}/causes',
    { path: { subject, id }, query: { position }, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-48" />
      </Loading>
    )
  const chain = { acts: data.acts, eventAt: new Map(data.events.map((event) => [event.position, event])) }
  const pages = pageCount(data.summary.totalCount, SIZE)
  return (
    <>
      <ul aria-label={t.title} className="grid gap-5 text-sm">
        {data.acts
          .filter((act) => act.cause === undefined)
          .map((act) => (
            <CausedCommands key={act.events[0]} act={act} chain={chain} />
          ))}
      </ul>
      {pages > 1 && (
        <>
          <p className="mt-6 mb-2 text-center text-ink-3 text-sm">{t.parts(data.summary.totalCount)}</p>
          <Pagination label={t.pages} page={page} pages={pages} onPage={setPage} />
        </>
      )}
    </>
  )
}

function CausedCommands({ act, chain }: { act: Command; chain: Chain }) {
  const events = act.events.flatMap((position) => chain.eventAt.get(position) ?? [])
  const first = events[0]
  if (!first) return null
  return (
    <li>
      <p className="text-ink-2">
        {actorText(first.actor)}
        {first.command && (
          <>
            {' · '}
            <span className="text-ink-3">{first.commandTitle ?? first.command}</span>
          </>
        )}
        {' · '}
        <DateText value={first.at} style="second" className="figures text-ink-3" />
        {first.reason && (
          <>
            {' · '}
            <span className="text-ink">“{first.reason}”</span>
          </>
        )}
      </p>
      {act.elsewhere && <p className="text-ink-3">{t.elsewhere}</p>}
      <ul className="mt-1.5 grid gap-2 border-line border-l-2 pl-3">
        {events.map((event) => (
          <li key={event.position}>
            <p>
              <span id={eventId(event.position)} tabIndex={-1} className="scroll-mt-20 font-semibold">
                {event.title}
              </span>{' '}
              <span className="text-ink-3">
                <LedgerLink stream={event.stream}>{streamTitle(event.stream.kind)}</LedgerLink>{' '}
                <span className="figures">#{event.position}</span>
              </span>
            </p>
            <CausedEvents position={event.position} title={event.title} chain={chain} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The commands an event caused. */
function CausedEvents({ position, title, chain }: { position: number; title: string; chain: Chain }) {
  const led = chain.acts.filter((act) => act.cause === position)
  if (led.length === 0) return null
  return (
    <ul aria-label={t.led(title)} className="mt-2 grid gap-3 pl-2">
      {led.map((act) => (
        <CausedCommands key={act.events[0]} act={act} chain={chain} />
      ))}
    </ul>
  )
}
