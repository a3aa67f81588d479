// A page about one record: its form, its history, and taking it away.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { readKey, useRead } from '../../api/read'
import { ko } from '../../i18n/ko'
import { useTitle } from '../../lib/title'
import { ask } from '../../ui/ask'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { words } from '../words'
import type { Document, Section } from './fields'
import { type ExtraProps, RecordForm } from './RecordForm'
import { RecordHistory } from './RecordHistory'

const t = words.record

/** Where a kind of record is kept and what it is called. */
export type RecordKind = {
  /** Its list, e.g. `/api/console/shop/products`. */
  path: string
  /** One, on the wire. */
  one: string
  /** What people call one. */
  name: string
  sections: readonly Section[]
  /** Last touch on what is sent. */
  tidy?: (changes: Document) => Document
}

type RecordPageProps = {
  kind: RecordKind
  /** Undefined: a new one. */
  id?: string
  /** What a new one starts with. */
  fresh?: Document
  /** The list's page; without it the record is the only one of its kind. */
  listPage?: { to: string; label: string }
  /** The page of a record just made. */
  pageOf?: (id: string) => string
  extra?: (document: Document) => (props: ExtraProps) => ReactNode
}

export function RecordPage({ kind, id, fresh = {}, listPage, pageOf, extra }: RecordPageProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const template = `${kind.path}/{id}`
  const { data, error, refetch } = useRead<Record<string, Document>>(
    template,
    { path: { id: id ?? '' } },
    { enabled: id !== undefined },
  )
  const document = id === undefined ? fresh : data?.[kind.one]
  const name = id === undefined ? `${kind.name} ${t.add}` : String(document?.name ?? kind.name)
  useTitle(name)

  const touched = () => {
    for (const read of [template, `${template}/history`, kind.path])
      void client.invalidateQueries({ queryKey: readKey(read).slice(0, 2) })
  }
  const save = async (typed: Document, version: number | undefined) => {
    const changes = kind.tidy?.(typed) ?? typed
    if (id === undefined) {
      const answer = await call<Record<string, Document>>('POST', kind.path, { body: { ...fresh, ...changes } })
      void toast(t.created, { tone: 'success' })
      touched()
      const made = answer[kind.one]?._id
      // After the form has forgotten what was typed, so that it does not ask whether to leave.
      if (pageOf && typeof made === 'string') setTimeout(() => void navigate(pageOf(made), { replace: true }))
      return
    }
    const answer = await call<Record<string, Document>>('PUT', template, {
      path: { id },
      body: { ...changes, version: version ?? document?.version },
    })
    client.setQueryData(readKey(template, { path: { id } }), answer)
    void toast(t.saved, { tone: 'success' })
    touched()
  }
  const remove = async () => {
    if (
      id === undefined ||
      !(await ask({ title: t.removeAsk(name), text: t.removeText, yes: ko.action.remove, danger: true }))
    )
      return
    try {
      await call('DELETE', template, { path: { id } })
      void toast(t.removed, { tone: 'success' })
      touched()
      if (listPage) void navigate(listPage.to)
    } catch (thrown) {
      const refusal = toApiError(thrown)
      if (!refusal.alerted) void toast(refusal.message, { tone: 'error' })
    }
  }

  return (
    <main id="content" className="mx-auto max-w-6xl">
      {listPage && (
        <p className="text-sm">
          <Link to={listPage.to} className="text-ink-2 underline-offset-4 hover:underline">
            {listPage.label}
          </Link>
        </p>
      )}
      <h1 className="mt-1 flex flex-wrap items-center gap-3 font-bold text-2xl">
        {name}
        {document?.removed === true && <Badge tone="bad">{t.removedBadge}</Badge>}
      </h1>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !document ? (
        <Loading className="mt-5 grid gap-5">
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </Loading>
      ) : (
        <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <RecordForm
            key={id ?? 'new'}
            sections={kind.sections}
            document={document}
            isNew={id === undefined}
            onSave={save}
            extra={extra?.(document)}
            actions={
              id !== undefined &&
              listPage &&
              document.removed !== true && (
                <Button variant="danger" onClick={() => void remove()}>
                  {ko.action.remove}
                </Button>
              )
            }
          />
          {id !== undefined && (
            <RecordHistory template={template} id={id} fields={kind.sections.flatMap((section) => section.fields)} />
          )}
        </div>
      )}
    </main>
  )
}
