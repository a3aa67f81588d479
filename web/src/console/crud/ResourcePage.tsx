// The page of one record: its form, its history, and deletion.
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { useTitle } from '../../lib/pageContext'
import { Badge } from '../../ui/Badge'
import { Button, ButtonLink } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { ledgerHref } from '../history/links'
import { ledgerWords } from '../ledgers/words'
import { createRecord, recordIn, recordPath, updateRecord } from './api'
import { type Document, getIn } from './formState'
import { RecordHistory } from './RecordHistory'
import { ResourceForm } from './ResourceForm'
import { copyPage, pageOf, type ResourceDef } from './resourceDefinition'
import { remove } from './undoableDelete'
import { useSchema } from './useSchema'
import { crudWords, recordWords } from './words'

const t = recordWords

type ResourcePageProps = {
  def: ResourceDef
  /** Undefined for a new one. */
  id?: string
  /** Initial values of a new record, besides the definition's. */
  starts?: Document
  /** The record that a new one copies. */
  copied?: string
  /** The only record of its kind: there is no list to go back to. */
  only?: boolean
}

export function ResourcePage({ def, id, starts, copied, only = false }: ResourcePageProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const kind = useSchema(def.schema)
  const can = (action: 'create' | 'update' | 'delete' | 'restore') => kind.actions.includes(action)
  const template = recordPath(kind.path)
  const read = id ?? (def.copyOf && copied)
  const { data, error, refetch } = useApiQuery(template, { path: { id: read ?? '' } }, { enabled: read !== undefined })
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const found = recordIn(kind, data)
  const fresh = { ...def.defaultValues, ...starts, ...(id === undefined && found && def.copyOf?.(found)) }
  const document = id === undefined && (!read || found) ? fresh : found
  const named = only
    ? kind.title
    : String(getIn(document, def.columns[0] ?? 'name') ?? getIn(document, 'name') ?? kind.title)
  const name = id === undefined ? crudWords.make(kind.title) : named
  useTitle(name)
  const ledger = isStaff && id !== undefined && document ? def.ledger?.(document) : undefined
  const counted = ledger && ledgerHref(ledger)

  const Below = def.below
  const shopHref = id !== undefined && document && document.removed !== true ? def.shopHref?.(document) : undefined
  const isDirty = useRef(false)
  /** Counts restored versions: the form starts over with each. */
  const [round, setRound] = useState(0)

  const touched = (isThere = true) => {
    for (const read of [kind.path, ...(def.shownBy ?? [])])
      void client.invalidateQueries({ queryKey: apiQueryKey(read).slice(0, 2) })
    // The page of a deleted record may still be mounted for a moment, and would then show a not-found message.
    for (const read of [template, `${template}/history`])
      void client.invalidateQueries({
        queryKey: apiQueryKey(read).slice(0, 2),
        refetchType: isThere ? 'active' : 'none',
      })
  }
  const save = async (changes: Document, version: number | undefined) => {
    if (id === undefined) {
      const whole = { ...fresh, ...changes }
      const answer = await createRecord(kind.path, def.toSave?.(whole) ?? whole)
      void toast(t.created, { tone: 'success' })
      touched()
      const made = recordIn(kind, answer)?._id
      // After the form has been reset, so that it does not ask whether to leave.
      if (typeof made === 'string') setTimeout(() => void navigate(pageOf(def, made), { replace: true }))
      return undefined
    }
    const answer = await updateRecord(kind.path, id, { ...changes, version: version ?? document?.version })
    client.setQueryData(apiQueryKey(template, { path: { id } }), answer)
    void toast(t.saved, { tone: 'success' })
    touched()
    return recordIn(kind, answer)?.version as number | undefined
  }
  const takeAway = async () => {
    if (
      id === undefined ||
      !(await confirmDialog({ title: t.removeAsk(name), text: t.removeText, yes: ko.action.remove, danger: true }))
    )
      return
    const versionBack = (answer: Document) => getIn(answer, `${kind.one}.version`) as number | undefined
    await remove({
      path: kind.path,
      id,
      called: name,
      versionBack,
      leave: () => navigate(def.page),
      changed: touched,
    })
  }

  return (
    <main id="content" className={id === undefined ? 'mx-auto max-w-4xl' : 'mx-auto max-w-6xl'}>
      {!only && (
        <p className="text-sm">
          <Link to={def.page} className="tap text-ink-2 underline-offset-4 hover:underline">
            ‹ {kind.title}
          </Link>
        </p>
      )}
      <h1 className="mt-1 flex flex-wrap items-center gap-3 font-bold text-2xl">
        {name}
        {document?.removed === true && <Badge tone="bad">{t.removedBadge}</Badge>}
        {shopHref && (
          <ButtonLink to={shopHref} target="_blank" size="sm" variant="outline" className="ml-auto">
            <ExternalLink aria-hidden />
            {t.seeInShop}
          </ButtonLink>
        )}
      </h1>
      {error && !document ? (
        <LoadError
          error={error}
          onRetry={() => void refetch()}
          action={!only && <ButtonLink to={def.page}>{kind.title} 목록</ButtonLink>}
        />
      ) : id === undefined && !can('create') ? (
        <EmptyState title={crudWords.notHere} />
      ) : !document ? (
        <Loading className="mt-5 grid gap-5">
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </Loading>
      ) : (
        <div className={id === undefined ? 'mt-5' : 'mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
          <div className="grid min-w-0 gap-5">
            <ResourceForm
              key={`${id ?? 'new'}:${round}`}
              kind={kind}
              def={def}
              document={document}
              isNew={id === undefined}
              readOnly={id !== undefined && !can('update')}
              onSave={save}
              onDirty={(now) => {
                isDirty.current = now
              }}
              actions={
                id !== undefined &&
                !only &&
                document.removed !== true && (
                  <>
                    {can('delete') && (
                      <Button variant="danger" onClick={() => void takeAway()}>
                        {ko.action.remove}
                      </Button>
                    )}
                    {def.copyOf && can('create') && (
                      <ButtonLink to={copyPage(def, id)} variant="outline">
                        {recordWords.copy}
                      </ButtonLink>
                    )}
                  </>
                )
              }
            />
            {id !== undefined && Below && <Below id={id} ledger={counted} />}
          </div>
          {id !== undefined && (
            <div className="grid gap-3 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
              {counted && (
                <Link to={counted} className="justify-self-end text-sm underline underline-offset-4 hover:text-accent">
                  {ledgerWords.open}
                </Link>
              )}
              <RecordHistory
                template={template}
                id={id}
                fields={kind.fields}
                canRestore={can('restore')}
                isDirty={() => isDirty.current}
                onRestored={() => setRound((now) => now + 1)}
              />
            </div>
          )}
        </div>
      )}
    </main>
  )
}
