// The state of a ledger or record at a moment, its changes since an earlier event, and its journal entries up to then.
import { useState } from 'react'
import { useApiQuery } from '../../api/query'
import { grouped } from '../../i18n/number'
import { formatDate } from '../../lib/date'
import { formatMoney } from '../../lib/money'
import { Card, Facts } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { isDocument } from '../crud/formState'
import { JournalEntriesTable } from '../crud/JournalEntriesTable'
import { accountTitle } from '../history/links'
import { TimeSlider } from '../history/TimeSlider'
import { timeTravelWords } from '../history/timeTravelWords'
import { historyWords } from '../history/words'
import type { HistoryEvent, Ledger, Story } from '../types'
import { flattenState, ledgerFormatter, type StateFormatter } from './ledgerStateFormat'
import { DefinitionList, RecordChanges, RecordContent } from './RecordState'
import { useRecordSchema } from './useRecordSchema'
import { ledgerWords } from './words'

const t = ledgerWords

type PointInTimeViewProps = {
  subject: Ledger
  id: string
  /** Oldest first; at least one. */
  events: readonly HistoryEvent[]
  at: number
  position: number | undefined
  onAt: (index: number) => void
}

export function PointInTimeView({ subject, id, events, at, position, onAt }: PointInTimeViewProps) {
  const [chosen, setChosen] = useState<number>()
  const schema = useRecordSchema(subject === 'record' ? events[0]?.stream.kind : undefined)
  const kind = schema.data ?? undefined
  const looked = Math.min(at, events.length - 1)
  const earlier = events.slice(0, looked)
  // By default: the changes made by the displayed event.
  const since = earlier.find((event) => event.position === chosen)?.position ?? earlier.at(-1)?.position ?? 0
  const story = useApiQuery('/api/console/history/{subject}/{id}', {
    path: { subject, id },
    query: { position, since },
  })
  const { data } = story
  const failed = [story, schema].find(({ error }) => error)
  return (
    <Card
      title={timeTravelWords.title}
      className={position === undefined ? undefined : 'border-warning ring-1 ring-warning'}
    >
      <p className="-mt-3 mb-4 text-ink-2 text-sm">{t.lead}</p>
      <TimeSlider events={events} at={at} onAt={onAt} />
      <div className="mt-4 grid gap-5 border-line border-t pt-4">
        <Field label={t.since}>
          <Select
            value={String(since)}
            onChange={({ target }) => setChosen(Number(target.value))}
            options={[
              ...(earlier.length === 0 ? [{ value: '0', label: t.beginning }] : []),
              ...earlier.map((event) => ({
                value: String(event.position),
                label: `${event.title}, ${formatDate(event.at, 'second')}`,
              })),
            ]}
          />
        </Field>
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : !data || schema.isLoading ? (
          <Loading>
            <Skeleton className="h-32" />
          </Loading>
        ) : (
          <>
            <section>
              <h3 className="mb-2 font-semibold text-sm">{historyWords.changes}</h3>
              {data.changes.length === 0 ? (
                <p className="text-ink-2 text-sm">{t.same}</p>
              ) : kind ? (
                <RecordChanges kind={kind} id={id} since={since} now={data.state} />
              ) : (
                <Changes
                  changes={data.changes}
                  says={subject === 'money' ? IN_BOOKS : ledgerFormatter(subject, data.state)}
                />
              )}
            </section>
            {subject === 'money' && <JournalEntriesTable entries={data.entries} events={events} />}
            <section>
              <h3 className="mb-2 font-semibold text-sm">{t.state}</h3>
              {subject === 'money' ? (
                <Balances state={data.state} />
              ) : kind && isDocument(data.state) ? (
                <RecordContent kind={kind} document={data.state} />
              ) : (
                <LedgerState subject={subject} state={data.state} />
              )}
            </section>
          </>
        )}
      </div>
    </Card>
  )
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)

/** Texts of the books: accounts with their balances. */
const IN_BOOKS = {
  place: (path: string) => t.figures[path] ?? accountTitle(path),
  value: (value: unknown, path: string) => {
    if (typeof value !== 'number') return path === 'account' ? accountTitle(text(value)) : text(value)
    return path === 'events' ? grouped(value) : formatMoney(value)
  },
} satisfies StateFormatter

function Changes({ changes, says }: { changes: Story['changes']; says: StateFormatter }) {
  return (
    <ul className="grid gap-1 text-sm">
      {changes.map(({ path, before, after }) => (
        <li key={path} className="break-words">
          <span className="text-ink-2">{says.place(path)}:</span> {says.value(before, path)} <span aria-hidden>→</span>
          <span className="sr-only">{timeTravelWords.changes}</span> <strong>{says.value(after, path)}</strong>
        </li>
      ))}
    </ul>
  )
}

function LedgerState({ subject, state }: { subject: Ledger; state: Story['state'] }) {
  const says = ledgerFormatter(subject, state)
  const rows = flattenState(state).map(({ path, value }) => ({
    name: says.place(path),
    value: says.value(value, path),
  }))
  return rows.length > 0 ? <DefinitionList rows={rows} /> : <p className="text-ink-2 text-sm">{historyWords.empty}</p>
}

/** The balance of each account, or of one. */
const Balances = ({ state }: { state: Story['state'] }) => (
  <Facts
    rows={Object.entries(state ?? {}).map(([account, amount]) => ({
      name: IN_BOOKS.place(account),
      value: IN_BOOKS.value(amount, account),
    }))}
  />
)
