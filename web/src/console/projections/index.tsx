// The progress of everything that follows the log. Refreshes by itself.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { grouped } from '../../i18n/number'
import { confirmDialog } from '../../ui/confirm'
import { Notice } from '../../ui/Notice'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { type ProjectionAction, ProjectionStatus, type Row } from './ProjectionStatus'
import { words as t } from './words'

const PATH = '/api/console/system/projections'
const ONE = `${PATH}/{name}` as const
/** Refetch interval, and the one during a rebuild. */
const CALM_MS = 3000
const BUSY_MS = 1000
/** Number of samples in a sparkline. */
const LOOKS = 60
/** Writers younger than this many seconds are not shown. */
const OLD_WRITER = 2
const KINDS = ['readModel', 'policy', 'search'] as const

export function Component() {
  const client = useQueryClient()
  const { data, error, refetch, dataUpdatedAt } = useApiQuery(
    PATH,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.projections.some((row) => row.state === 'rebuilding') ? BUSY_MS : CALM_MS,
    },
  )
  const lags = useLags(data?.projections, dataUpdatedAt)
  const act = useMutation({
    mutationFn: async ({ row, what }: { row: Row; what: ProjectionAction }) => {
      const path = { name: row.name }
      if (what === 'resume') {
        const { caughtUp, stillParked } = await call('POST', `${ONE}/resume`, { path })
        return t.resumed(caughtUp, stillParked)
      }
      await (what === 'back' ? call('POST', `${ONE}/back`, { path }) : call('POST', `${ONE}/rebuild`, { path }))
      return t.asked
    },
    onSuccess: (message) => void toast(message, { tone: 'success' }),
    onError: (thrown) => {
      const refusal = toApiError(thrown)
      if (!refusal.alerted) void toast(refusal.message, { tone: 'error' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: apiQueryKey(PATH).slice(0, 2) }),
  })
  const confirmAndRun = async (row: Row, what: ProjectionAction) => {
    const question = {
      rebuild: { title: t.rebuildAsk(row.title), text: t.rebuildText, yes: t.rebuild },
      back: { title: t.backAsk(row.title), text: t.backText, yes: t.back },
      resume: undefined,
    }[what]
    if (!question || (await confirmDialog(question))) act.mutate({ row, what })
  }

  return (
    <main id="content" className="mx-auto max-w-6xl">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="mt-5 h-96" />
        </Loading>
      ) : (
        <div className="mt-5 grid gap-8">
          <p className="text-sm">
            {t.newest} <strong className="figures">{grouped(data.position)}</strong>
          </p>
          {data.writer && data.writer.seconds >= OLD_WRITER && (
            <Notice tone="warning">
              {t.writer(data.writer.application, data.writer.process, data.writer.seconds)}
            </Notice>
          )}
          {KINDS.map((kind) => (
            <section key={kind} aria-labelledby={kind} className="grid gap-4">
              <h2 id={kind} className="font-bold text-lg">
                {t.kinds[kind]}
              </h2>
              <div className="grid items-start gap-4 md:grid-cols-2">
                {data.projections
                  .filter((row) => row.kind === kind)
                  .map((row) => (
                    <ProjectionStatus
                      key={row.name}
                      row={row}
                      lags={lags.get(row.name) ?? []}
                      busy={act.isPending}
                      onAct={(what) => void confirmAndRun(row, what)}
                    />
                  ))}
              </div>
            </section>
          ))}
        </div>
      )}
    </main>
  )
}

/** The lags of the last samples, by name. */
function useLags(rows: readonly Row[] | undefined, lookedAt: number): ReadonlyMap<string, readonly number[]> {
  const seen = useRef({ at: 0, lags: new Map<string, readonly number[]>() })
  useEffect(() => {
    if (!rows || seen.current.at === lookedAt) return
    const { lags } = seen.current
    seen.current.at = lookedAt
    for (const { name, lag } of rows) lags.set(name, [...(lags.get(name) ?? []), lag.events].slice(-LOOKS))
  }, [rows, lookedAt])
  return seen.current.lags
}
