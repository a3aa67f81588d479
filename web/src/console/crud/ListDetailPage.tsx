// Resources whose records have no address of their own: the list, and the record at `?id=`.
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import type { Document } from './formState'
import { ResourceList } from './ResourceList'
import { NEW, type ResourceDef } from './resourceDefinition'

const loadRecordPage = () => import('./ResourcePage').then(({ ResourcePage }) => ({ default: ResourcePage }))

/** The form and all its inputs are no part of the list's load. */
const RecordPage = optional(loadRecordPage, {
  waiting: () => (
    <Loading>
      <Skeleton className="h-64" />
    </Loading>
  ),
  instead: missing,
})

const PREFETCH_DELAY_MS = 1000

type ResourceScreenProps = {
  def: ResourceDef
  /** Only records with these values, e.g. `{ code: 'MAIN_1' }`; a new one starts with them. */
  only?: Record<string, string>
  starts?: Document
  title?: string
  /** The same for other places, as tabs. */
  places?: readonly { to: string; label: string }[]
}

export function ListDetailPage({ def, only, starts, title, places }: ResourceScreenProps) {
  const [params] = useSearchParams()
  const id = params.get('id')
  // Whoever sees the list is likely to open a record next.
  useEffect(() => {
    const timer = setTimeout(() => void loadRecordPage().catch(() => undefined), PREFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!id) return <ResourceList def={def} only={only} title={title} places={places} />
  return <RecordPage key={id} def={def} id={id === NEW ? undefined : id} starts={{ ...starts, ...only }} />
}
