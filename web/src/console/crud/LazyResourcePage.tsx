// The page of a record as its own chunk: its form and inputs are not part of a list's load.
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'

export const loadRecordPage = () => import('./ResourcePage').then(({ ResourcePage }) => ({ default: ResourcePage }))

export const LazyResourcePage = optional(loadRecordPage, {
  waiting: () => (
    <Loading>
      <Skeleton className="h-64" />
    </Loading>
  ),
  instead: missing,
})
