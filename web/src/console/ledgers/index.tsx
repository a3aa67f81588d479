// The page of a ledger without a page of its own (points, a coupon, stock, money) and of any record: its state at a moment, amounts with
// explanations, the changes between two moments, and the history. Read only.
import { useEffect } from 'react'
import { useLocation, useParams } from 'react-router'
import { useApiQuery } from '../../api/query'
import { useTitle } from '../../lib/pageContext'
import { Button } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import { ExplainableAmount } from '../explain/ExplainableAmount'
import { quantity } from '../explain/ExplanationDialog'
import { CausationTree } from '../history/CausationTree'
import { causationWords } from '../history/causationWords'
import { History } from '../history/History'
import { accountTitle, ledgerSourceHref, scrollToEvent, streamTitle } from '../history/links'
import { useTimeTravel } from '../history/useTimeTravel'
import { historyWords } from '../history/words'
import type { Explainable, HistoryEvent, Ledger } from '../types'
import { EventFacts } from './EventFacts'
import { PointInTimeView } from './PointInTimeView'
import { ledgerWords } from './words'

const t = ledgerWords
const NOTHING: readonly HistoryEvent[] = []
/** Kinds with amounts; for the others only the history is shown. */
const COUNTED: readonly Explainable[] = ['coupon', 'points', 'stock']

export function Component() {
  const { subject: asked = '', id = '' } = useParams()
  // The server returns 404 for unknown ledgers.
  const subject = asked as Ledger
  const counted = COUNTED.find((one) => one === asked)
  const { data, error, refetch } = useApiQuery('/api/console/history/{subject}/{id}', { path: { subject, id } })
  const events = data?.events ?? NOTHING
  const { at, isPast, position, travel } = useTimeTravel(events)
  const amounts = useApiQuery(
    '/api/console/explanations/{subject}/{id}',
    { path: { subject: counted ?? 'stock', id }, query: { position } },
    { enabled: counted !== undefined },
  )
  const title = t.titles[subject] ?? historyWords.title
  const name = data?.name || (subject === 'money' && accountTitle(id) !== id ? accountTitle(id) : undefined)
  const first = events[0]?.stream
  // An account of the books starts with the first order that used it.
  const home = first && (subject !== 'money' || first.id === id) ? ledgerSourceHref(first, data?.state) : undefined
  useTitle(name ? `${name} · ${title}` : title, home?.list)
  const { hash } = useLocation()
  const named = Number(/^#event-(\d+)$/.exec(hash)?.[1])
  const there = events.some((event) => event.position === named)
  useEffect(() => {
    if (there) scrollToEvent(named)
  }, [there, named])

  return (
    <main id="content" className="mx-auto max-w-4xl">
      {home && (
        <p className="text-sm">
          <Link to={home.page} className="tap text-ink-2 underline-offset-4 hover:underline">
            ‹ {name ?? streamTitle(first?.kind ?? '')}
          </Link>
        </p>
      )}
      <h1 className="mt-1 font-bold text-2xl">{title}</h1>
      {name && <p className="mt-1 font-semibold text-lg">{name}</p>}
      <details className="mt-1 text-ink-3 text-xs">
        <summary className="w-fit cursor-pointer select-none rounded-xs py-1 hover:text-ink">
          {historyWords.data}
        </summary>
        <p className="break-all">
          {t.id}: <span className="figures">{id}</span>
        </p>
      </details>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="mt-5 grid gap-5">
          {counted && (
            <Card title={isPast ? t.past : t.amounts}>
              {amounts.error ? (
                <ErrorState error={amounts.error} onRetry={() => void amounts.refetch()} />
              ) : !amounts.data ? (
                <LoadingCard />
              ) : (
                <Facts
                  rows={amounts.data.amounts.map(({ name, label, unit, value, says }) => ({
                    name: label,
                    value: (
                      <ExplainableAmount amount={name} of={{ subject: counted, id, position }}>
                        <span className="figures">{says ?? quantity(unit, value)}</span>
                      </ExplainableAmount>
                    ),
                  }))}
                />
              )}
            </Card>
          )}
          {events.length > 0 && (
            <PointInTimeView subject={subject} id={id} events={events} at={at} position={position} onAt={travel} />
          )}
          <Card title={historyWords.title}>
            <Tabs
              label={historyWords.title}
              tabs={[
                {
                  value: 'time',
                  label: causationWords.byTime,
                  content: data ? (
                    <History
                      events={events}
                      current={position}
                      details={(event) => <EventFacts subject={subject} event={event} />}
                      actions={(event) => (
                        <Button size="sm" variant="ghost" onClick={() => travel(events.indexOf(event))}>
                          {historyWords.see}
                        </Button>
                      )}
                    />
                  ) : (
                    <LoadingCard />
                  ),
                },
                {
                  value: 'cause',
                  label: causationWords.byCause,
                  content: <CausationTree subject={subject} id={id} position={position} />,
                },
              ]}
            />
          </Card>
        </div>
      )}
    </main>
  )
}

const LoadingCard = () => (
  <Loading>
    <Skeleton className="h-32" />
  </Loading>
)
