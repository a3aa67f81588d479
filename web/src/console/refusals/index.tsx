// Automatic commands that were refused: deadlines, which staff can retry once the cause is fixed, the results
// of retries, and reactions to events. The page refetches by itself.
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import { call, paged } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { ListTable } from '../crud/ListTable'
import { eventId, ledgerHref } from '../history/links'
import { ledgerWords } from '../ledgers/words'
import { PAGE_SIZE, useListState } from '../useListState'
import { words as t } from './words'

type S = components['schemas']
type Refusal = S['DeadlineRefusal']
type Retry = S['RetryView']
type Reaction = S['ReactionRefusal']

const PATH = '/api/console/refusals'
const RETRY = `${PATH}/{kind}/{id}/retry` as const
/** Refetch interval, and the one during a retry. */
const CALM_MS = 10_000
const BUSY_MS = 1000

const ledgers = ledgerWords.titles
const TONES = { settled: 'good', refused: 'bad', waiting: 'busy' } as const

const titleOf = (kind: string): string => t.kinds[kind] ?? kind

/** The ledger of a deadline's command. */
const ledgerKindOf = (kind: string): string =>
  ({
    'resolve-approval': 'payment',
    'resolve-refund': 'payment',
    'close-account': 'payment',
    'statutory-period': 'member',
    'expire-points': 'points',
  })[kind] ?? 'order'

function TriggerCell({ due }: { due: Pick<Refusal, 'kind' | '_id' | 'stream'> }) {
  const ledger = ledgerKindOf(due.kind)
  const to = ledgerHref({ kind: ledger, id: due.stream })
  return (
    <>
      <p className="font-semibold">{titleOf(due.kind)}</p>
      {to && (
        <p className="text-ink-2 text-xs">
          <Link
            to={to}
            aria-label={t.see(ledgers[ledger] ?? ledger, due._id)}
            className="underline underline-offset-2 hover:text-ink"
          >
            {t.see(ledgers[ledger] ?? ledger)}
          </Link>
        </p>
      )}
      <p className="break-all text-ink-3 text-xs">{due._id}</p>
    </>
  )
}

const ReasonCell = ({ code, message }: { code: string; message: string }) => (
  <>
    <p className="break-words">{message}</p>
    <p className="font-mono text-ink-3 text-xs">{code}</p>
  </>
)

const Moment = ({ value }: { value: string }) => (
  <DateText value={value} style="datetime" className="figures text-ink-2" />
)

export function Component() {
  const client = useQueryClient()
  const { page, shown } = useListState()
  const read = useApiQuery(
    PATH,
    { headers: paged(page, PAGE_SIZE) },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.retries.some(({ outcome }) => outcome === 'waiting') ? BUSY_MS : CALM_MS,
    },
  )
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ kind, _id }: Refusal) => call('POST', RETRY, { path: { kind, id: _id }, body: {} }),
    onSuccess: () => void toast(t.retried, { tone: 'success' }),
    onError: (thrown) => {
      const refusal = toApiError(thrown)
      if (!refusal.alerted) void toast(refusal.message, { tone: 'error' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: apiQueryKey(PATH).slice(0, 2) }),
  })
  const columns = useMemo(
    (): readonly Column<Refusal>[] => [
      { id: 'what', header: t.what, width: '35%', cell: (row) => <TriggerCell due={row} /> },
      { id: 'why', header: t.why, cell: ReasonCell },
      { id: 'when', header: t.when, cell: (row) => <Moment value={row.refusedAt} /> },
      {
        id: 'act',
        header: t.act,
        align: 'right',
        cell: (row) => (
          <Button
            size="sm"
            variant="outline"
            busy={isPending && variables._id === row._id}
            disabled={isPending}
            aria-label={t.retryOf(titleOf(row.kind), row._id)}
            onClick={() => mutate(row)}
          >
            {t.retry}
          </Button>
        ),
      },
    ],
    [mutate, isPending, variables],
  )
  const { data } = read
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ListTable<Refusal>
        caption={t.deadlines}
        columns={columns}
        {...shown(read, (answer) => answer.refusals)}
        rowId={(row) => `${row.kind}/${row._id}`}
        empty={<EmptyState icon={<CircleCheck />} title={t.none} text={t.noneText} />}
      />
      {data && <Retries retries={data.retries} />}
      {data && <Reactions reactions={data.reactions} />}
    </main>
  )
}

function Retries({ retries }: { retries: readonly Retry[] }) {
  if (retries.length === 0) return null
  return (
    <Card title={t.history} className="mt-8">
      <ul className="divide-y divide-line">
        {retries.map((retry) => (
          <li key={retry.number} className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
              <div className="min-w-0">
                <TriggerCell due={retry} />
              </div>
              <Badge tone={TONES[retry.outcome]}>{t.outcomes[retry.outcome]}</Badge>
            </div>
            <p className="text-ink-2">
              <Moment value={retry.refusedAt} /> {retry.message}
            </p>
            <p className="text-ink-2">
              <Moment value={retry.retriedAt} />{' '}
              <Link
                to={`${ledgerHref({ kind: 'deadline', id: `${retry.kind}:${retry._id}` })}#${eventId(retry.number)}`}
                className="underline underline-offset-2 hover:text-ink"
              >
                {t.by(retry.nickname ?? retry.retriedBy ?? '')}
              </Link>{' '}
              {retry.reason}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Reactions({ reactions }: { reactions: readonly Reaction[] }) {
  if (reactions.length === 0) return null
  return (
    <Card title={t.reactions} className="mt-8">
      <p className="mb-4 max-w-prose text-ink-2 text-sm">{t.reactionsText}</p>
      <ul className="divide-y divide-line">
        {reactions.map((one) => (
          <li key={`${one.policy}/${one.position}`} className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
            <p className="font-semibold">{t.policies[one.policy] ?? one.policy}</p>
            <ReasonCell code={one.code} message={one.message} />
            <p className="text-ink-2">
              <Moment value={one.refusedAt} /> · {t.at(one.position)}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
