// The list of a resource, with creating, bulk editing and deleting records.
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { paged } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { Button, ButtonLink } from '../../ui/Button'
import { missing, optional } from '../../ui/Optional'
import { EmptyState } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'
import { Bulk, Restore } from './Bulk'
import type { ImportDialogProps } from './ImportDialog'
import { ResourceTable } from './ResourceTable'
import { createPage, listOf, type ResourceDef, type Row } from './resourceDefinition'
import { type ResourceSchema, supportsRestore } from './schema'
import { useSchema } from './useSchema'
import { crudWords, recordWords } from './words'

const k = crudWords

const ImportDialog = optional<ImportDialogProps>(
  () => import('./ImportDialog').then((module) => ({ default: module.ImportDialog })),
  {
    instead: missing,
  },
)

type ResourceListProps = {
  def: ResourceDef
  only?: Record<string, string>
  title?: string
  places?: readonly { to: string; label: string }[]
  below?: ReactNode
}

/** Whether the position holds as many records as it can, as far as is known. */
function useIsFull({ perPosition }: ResourceDef, kind: ResourceSchema, only?: Record<string, string>): boolean {
  const isLimited = perPosition !== undefined && only !== undefined
  const { data } = useApiQuery(kind.path, { query: only ?? {}, headers: paged(1, 1) }, { enabled: isLimited })
  if (!isLimited) return false
  return !data || !('summary' in data) || data.summary.totalCount >= perPosition
}

export function ResourceList({ def, only, title, places, below }: ResourceListProps) {
  const kind = useSchema(def.schema)
  const client = useQueryClient()
  const [importing, setImporting] = useState(false)
  const scopes = useSession((s) => s.payload?.scope)

  const mayWrite = kind.scopes.some((scope) => scopes?.some((mine) => mine === scope) ?? false)
  const can = (action: ResourceSchema['actions'][number]) => mayWrite && kind.actions.includes(action)
  const isFull = useIsFull(def, kind, only)
  const mayCreate = can('create') && !isFull
  const mayChoose = can('delete') || can('bulk')
  const changed = () => void client.invalidateQueries({ queryKey: apiQueryKey(kind.path).slice(0, 2) })
  const createAt = createPage(def)

  // The page is staff's (spec R192); sellers import in the dialog.
  const uploadPage = kind.own ? undefined : def.uploadPage
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{title ?? kind.title}</h1>
        <div className="flex flex-wrap gap-2 max-xs:w-full max-xs:[&>*]:flex-1">
          {can('import') && uploadPage && (
            <ButtonLink variant="outline" to={uploadPage}>
              <Upload aria-hidden />
              {k.import}
            </ButtonLink>
          )}
          {can('import') && !uploadPage && (
            <Button variant="outline" onClick={() => setImporting(true)}>
              <Upload aria-hidden />
              {k.import}
            </Button>
          )}
          {mayCreate && (
            <ButtonLink to={createAt}>
              <Plus aria-hidden />
              {recordWords.add}
            </ButtonLink>
          )}
        </div>
      </div>
      {places && <TabLinks label={title ?? kind.title} tabs={places} className="mt-3" />}
      <ResourceTable<Row>
        def={listOf(def)}
        kind={kind}
        caption={title ?? kind.title}
        only={only}
        bulk={
          mayChoose
            ? (choice) => (
                <Bulk
                  kind={kind}
                  chosen={choice}
                  onDone={() => {
                    choice.letGo()
                    changed()
                  }}
                />
              )
            : undefined
        }
        choosesAll={can('bulk')}
        rowAction={
          mayWrite && supportsRestore(kind) ? (row) => <Restore kind={kind} row={row} onDone={changed} /> : undefined
        }
        opens
        empty={
          <EmptyState
            title={k.emptyTitle(kind.title)}
            text={can('create') ? (def.emptyText ?? k.emptyText) : k.emptyRead}
            action={can('create') && <ButtonLink to={createAt}>{recordWords.add}</ButtonLink>}
          />
        }
      />
      {below}
      {importing && <ImportDialog kind={kind} onClose={() => setImporting(false)} onDone={changed} />}
    </main>
  )
}
