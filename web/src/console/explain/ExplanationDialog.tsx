// Explanation of an amount: a small ledger of the contributions of events and rules, with links to them.

import { type ReactNode, useState } from 'react'
import { useApiQuery } from '../../api/query'
import { formatMoney } from '../../lib/money'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { Dialog } from '../../ui/Dialog'
import { Link } from '../../ui/Link'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { actorText } from '../history/History'
import { eventId, ledgerHref, scrollToEvent } from '../history/links'
import { historyWords } from '../history/words'
import type { Explanation, HistoryEvent } from '../types'
import { words } from '../words'
import type { Subject } from './ExplainableAmount'
import { explainWords } from './words'

const t = explainWords

type Unit = Explanation['amount']['unit']

/** A number with a unit: money, pieces or coupons. */
export function quantity(unit: Unit, value: number): string {
  if (unit === 'amount') return formatMoney(value)
  return unit === 'pieces' ? words.pieces(value) : t.coupons(value)
}

/** Text of a contribution, with its amounts (in braces, hundredths) formatted. */
export const formatContribution = (text: string): string =>
  text.replace(/\{(-?\d+)\}/g, (_, number) => formatMoney(Number(number)))

type LayerProps = { of: Subject; amount: string; onClose: () => void }

export default function ExplanationDialog({ of, amount, onClose }: LayerProps) {
  // An amount may consist of others: the path down is kept, for the way back.
  const [path, setPath] = useState([amount])
  const name = path.at(-1) ?? amount
  const { data, error, refetch } = useApiQuery('/api/console/explanations/{subject}/{id}/{amount}', {
    path: { subject: of.subject, id: of.id, amount: name },
    query: { position: of.position },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={data ? t.title(data.amount.label) : t.open}
      description={data && (data.amount.says ?? quantity(data.amount.unit, data.amount.value))}
      footer={
        path.length > 1 && (
          <Button variant="outline" onClick={() => setPath(path.slice(0, -1))}>
            {t.back}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : (
        <Contributions told={data} onExplain={(next) => setPath([...path, next])} onLeave={onClose} />
      )}
    </Dialog>
  )
}

type ContributionsProps = {
  told: Explanation
  onExplain: (amount: string) => void
  onLeave: () => void
}

function Contributions({ told, onExplain, onLeave }: ContributionsProps) {
  const { amount, contributions, events } = told
  const at = new Map(events.map((event) => [event.position, event]))
  const shown = (value: number) => quantity(amount.unit, value)
  if (contributions.length === 0) return <p className="text-ink-2">{t.nothing}</p>
  return (
    <>
      <ol aria-label={t.title(amount.label)} className="divide-y divide-line text-sm">
        {contributions.map((one, place) => (
          <li key={place} className="flex flex-wrap items-baseline justify-end gap-x-4 py-2.5">
            <div className="min-w-56 flex-1">
              <p>
                {one.explains ? (
                  <button
                    type="button"
                    onClick={() => onExplain(one.explains ?? '')}
                    className="text-left underline decoration-dotted underline-offset-4 hover:text-accent"
                  >
                    {formatContribution(one.text)}
                    <span className="sr-only"> {t.open}</span>
                  </button>
                ) : (
                  formatContribution(one.text)
                )}{' '}
                {one.spec && <Badge>{t.rule(one.spec)}</Badge>}
              </p>
              <SourceEvent event={at.get(one.event ?? -1)} onLeave={onLeave} />
              <SourceEvent event={at.get(one.source ?? -1)} onLeave={onLeave} label={t.source} />
            </div>
            <span className="figures whitespace-nowrap">
              <span className="sr-only">{t.made} </span>
              {one.amount > 0 && '+'}
              {shown(one.amount)}
            </span>
            <span className="figures w-28 whitespace-nowrap text-right text-ink-2">
              <span className="sr-only">{t.result} </span>
              {shown(one.result)}
            </span>
          </li>
        ))}
      </ol>
      <p className="flex justify-between border-line-strong border-t pt-3 font-bold">
        <span>{amount.label}</span>
        <span className="figures">{shown(amount.value)}</span>
      </p>
    </>
  )
}

/** The source event of a contribution, or of a rule, with its link. */
function SourceEvent({
  event,
  label,
  onLeave,
}: {
  event: HistoryEvent | undefined
  label?: string
  onLeave: () => void
}) {
  if (!event) return null
  return (
    <p className="mt-0.5 text-ink-3 text-xs">
      {label && `${label}: `}
      <ToEvent event={event} onLeave={onLeave}>
        {event.title}
      </ToEvent>
      {' · '}
      <DateText value={event.at} style="second" className="figures" /> · {actorText(event.actor)} ·{' '}
      <span className="figures">
        {historyWords.position} {event.position}
      </span>
    </p>
  )
}

/** On this page if it shows the event's history, otherwise on the page of the event's ledger. */
function ToEvent({ event, onLeave, children }: { event: HistoryEvent; onLeave: () => void; children: ReactNode }) {
  const look = 'underline underline-offset-4 hover:text-accent'
  const here = document.getElementById(eventId(event.position)) !== null
  const ledger = ledgerHref(event.stream)
  if (here)
    return (
      <a
        href={`#${eventId(event.position)}`}
        className={look}
        onClick={(click) => {
          click.preventDefault()
          onLeave()
          scrollToEvent(event.position)
        }}
      >
        {children}
      </a>
    )
  return ledger ? (
    <Link to={`${ledger}#${eventId(event.position)}`} className={look} onClick={onLeave}>
      {children}
    </Link>
  ) : (
    <span>{children}</span>
  )
}
