// Resources whose records have no address of their own: the list, and the record at `?id=`.
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Document } from './formState'
import { LazyResourcePage, loadRecordPage } from './LazyResourcePage'
import { ResourceList } from './ResourceList'
import { COPY_OF, NEW, type ResourceDef } from './resourceDefinition'

const PREFETCH_DELAY_MS = 1000

type ListDetailPageProps = {
  def: ResourceDef
  /** Only records with these values, e.g. `{ code: 'MAIN_1' }`; a new one starts with them. */
  only?: Record<string, string>
  starts?: Document
  title?: string
  /** The same for other positions, as tabs. */
  places?: readonly { to: string; label: string }[]
  /** What stands below the list. */
  below?: ReactNode
}

export function ListDetailPage({ def, only, starts, title, places, below }: ListDetailPageProps) {
  const [params] = useSearchParams()
  const id = params.get('id')
  // Preloads the record page, which visitors of the list are likely to open next.
  useEffect(() => {
    const timer = setTimeout(() => void loadRecordPage().catch(() => undefined), PREFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!id) return <ResourceList def={def} only={only} title={title} places={places} below={below} />
  const copied = id === NEW ? (params.get(COPY_OF) ?? undefined) : undefined
  return (
    <LazyResourcePage
      key={copied ? `${NEW}:${copied}` : id}
      def={def}
      id={id === NEW ? undefined : id}
      starts={{ ...starts, ...only }}
      copied={copied}
    />
  )
}
