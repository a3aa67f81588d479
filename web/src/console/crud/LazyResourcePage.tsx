// The page of a record as a chunk of its own: its form and inputs are no part of a list's load.
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
