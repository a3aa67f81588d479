// The uploads of the person, with progress: each can be stopped and go on, and its refused rows downloaded.
import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { download } from '../../api/download'
import { toApiError } from '../../api/errors'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { saveFile } from '../../lib/files'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { ProgressBar } from '../../ui/ProgressBar'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import type { ResourceSchema } from '../crud/schema'
import { invalidateUploads, isGoing, POLL_MS, REFUSED_ROWS, setStopped, UPLOADS, type Upload } from './api'
import { uploadWords as t } from './words'

const TONES = { running: 'busy', stopped: 'warning', done: 'good', failed: 'bad' } as const satisfies Record<
  Upload['state'],
  string
>

export function Uploads({ kind }: { kind: ResourceSchema }) {
  const { data, error, refetch } = useApiQuery(
    UPLOADS,
    { query: { kind: kind.name } },
    { refetchInterval: ({ state }) => (state.data?.imports.some(isGoing) ?? false) && POLL_MS },
  )
  return (
    <Card title={t.runsTitle}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && (
        <Loading>
          <Skeleton className="h-24" />
        </Loading>
      )}
      {data?.imports.length === 0 && <EmptyState title={t.runsEmpty} text={t.runsEmptyText} className="py-8" />}
      {data && data.imports.length > 0 && (
        <ul className="grid gap-3">
          {data.imports.map((upload) => (
            <UploadRow key={upload._id} upload={upload} kind={kind} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function UploadRow({ upload, kind }: { upload: Upload; kind: ResourceSchema }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<'state' | 'file'>()
  const during = async (what: typeof busy, work: () => Promise<unknown>) => {
    setBusy(what)
    try {
      await work()
    } catch (thrown) {
      void toast(toApiError(thrown).message, { tone: 'error' })
    } finally {
      setBusy(undefined)
    }
  }
  const stop = (stopped: boolean) =>
    during('state', async () => {
      await setStopped(upload._id, stopped)
      await invalidateUploads(client)
      // What was done so far is in the list.
      await client.invalidateQueries({ queryKey: apiQueryKey(kind.path).slice(0, 2) })
    })
  const take = () =>
    during('file', async () => {
      const { blob, name } = await download(REFUSED_ROWS, { path: { id: upload._id } })
      saveFile(blob, name)
    })
  const { state, rows, done, errors } = upload
  const progress = t.progress(done, rows)
  return (
    <li className="grid gap-2 rounded-md border border-line p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[state]}>{t.states[state]}</Badge>
        <strong className="min-w-0 break-all">{upload.fileName}</strong>
        <DateText value={upload.startedAt} style="datetime" className="figures text-ink-3 text-sm" />
        {upload.existing === 'skip' && <Badge>{t.skips}</Badge>}
      </div>
      <ProgressBar value={done} max={rows} label={progress} />
      <p role="status" className="figures text-ink-2 text-sm">
        {progress} · {t.counts(upload)}
      </p>
      {upload.reason && <p className="text-danger text-sm">{upload.reason}</p>}
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {state === 'running' && (
          <Button size="sm" variant="outline" busy={busy === 'state'} onClick={() => void stop(true)}>
            {t.stop}
          </Button>
        )}
        {state === 'stopped' && (
          <Button size="sm" busy={busy === 'state'} onClick={() => void stop(false)}>
            {t.goOn}
          </Button>
        )}
        {errors > 0 && (
          <>
            <Button size="sm" variant="outline" busy={busy === 'file'} onClick={() => void take()}>
              <Download aria-hidden />
              {t.refused(errors)}
            </Button>
            <span className="text-ink-3 text-sm">{t.refusedText}</span>
          </>
        )}
      </div>
    </li>
  )
}
