// One sending: its text, how far it has come, the outcomes of its messages, and the skipped receivers.
import { keepPreviousData } from '@tanstack/react-query'
import { ArrowLeft, UserX } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Chips } from '../../ui/Checkbox'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { ListTable } from '../crud/ListTable'
import { LedgerLink } from '../ledgers/LedgerLink'
import { words as messageWords } from '../messages/words'
import { PAGE_SIZE, useListState } from '../useListState'
import { isOpen, POLL_MS, SENDING, SKIPPED } from './api'
import { SendingProgress } from './SendingProgress'
import { sendingWords as t } from './words'

type Skipped = components['schemas']['SkippedView']
type Reason = Skipped['reason']

const REASONS = Object.keys(t.reasons) as Reason[]
const isReason = (text: string | null): text is Reason => REASONS.some((reason) => reason === text)

const columns: readonly Column<Skipped>[] = [
  {
    id: 'member',
    header: t.member,
    cell: ({ member }) => (
      <LedgerLink stream={{ kind: 'member', id: member._id }}>{member.name ?? t.unnamed}</LedgerLink>
    ),
  },
  { id: 'reason', header: t.reason, cell: ({ reason }) => t.reasons[reason] },
  {
    id: 'at',
    header: t.turn,
    cell: ({ at }) => <DateText value={at} style="datetime" className="figures text-ink-2" />,
  },
]

export function SendingDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useApiQuery(
    SENDING,
    { path: { id } },
    { refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false) },
  )
  return (
    <>
      <Button variant="outline" size="sm" onClick={onClose} className="mt-4">
        <ArrowLeft aria-hidden />
        {t.back}
      </Button>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Detail {...data} />
      ) : (
        <Loading className="mt-6">
          <Skeleton className="h-96" />
        </Loading>
      )}
    </>
  )
}

function Detail({ sending, skipped, messages }: components['schemas']['SendingDetailAnswer']) {
  return (
    <div className="mt-4 grid gap-4">
      <Card title={sending.markedTitle}>
        <p className="wrap-anywhere whitespace-pre-line">{sending.content}</p>
        {sending.url && <p className="mt-2 text-ink-2 text-sm">{sending.url}</p>}
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-ink-3">{t.to}</dt>
          <dd>{t.targetOf(sending.target)}</dd>
          <dt className="text-ink-3">{t.pace_}</dt>
          <dd className="figures">{t.perMinute(sending.perMinute)}</dd>
          <dt className="text-ink-3">{t.ordered}</dt>
          <dd>
            <DateText value={sending.createdAt} style="datetime" className="figures" />
            {sending.createdBy?.name && ` · ${sending.createdBy.name}`}
          </dd>
        </dl>
      </Card>
      <Card title={t.state}>
        <SendingProgress sending={sending} />
        {messages.length > 0 && (
          <dl aria-label={t.outcomes} className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
            {messages.map(({ state, count }) => (
              <div key={state}>
                <dt className="text-ink-3 text-xs">{messageWords.states[state]}</dt>
                <dd className="figures font-semibold">{t.people(count)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      <Card title={t.skippedTitle}>
        <SkippedList id={sending._id} counts={skipped} />
      </Card>
    </div>
  )
}

type SkippedListProps = { id: string; counts: readonly components['schemas']['SkipCount'][] }

function SkippedList({ id, counts }: SkippedListProps) {
  const { params, page, shown, set } = useListState()
  const wanted = params.get('filter')
  const reason = isReason(wanted) ? wanted : undefined
  const read = useApiQuery(
    SKIPPED,
    { path: { id }, query: { reason }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const countOf = (reason: Reason) => counts.find((count) => count.reason === reason)?.count ?? 0
  return (
    <>
      {counts.length > 0 && (
        <Chips
          label={t.reason}
          options={[
            { value: '', label: t.allReasons },
            ...REASONS.filter(countOf).map((value) => ({
              value,
              label: `${t.reasons[value]} ${t.people(countOf(value))}`,
            })),
          ]}
          value={reason ?? ''}
          onValueChange={(to) => set({ filter: to || undefined })}
        />
      )}
      <ListTable<Skipped>
        caption={t.skippedTitle}
        columns={columns}
        {...shown(read, (answer) => answer.skipped)}
        rowId={(row) => row.member._id}
        empty={<EmptyState icon={<UserX />} title={t.noneSkipped} text={t.noneSkippedText} />}
      />
    </>
  )
}
