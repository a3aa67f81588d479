// The page of a record whose code is in the address.
import { useApiQuery } from '../../api/query'
import { ButtonLink } from '../../ui/Button'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { rowsIn } from './api'
import { LazyResourcePage } from './LazyResourcePage'
import { createPage, type ResourceDef, type Row } from './resourceDefinition'
import { crudWords, recordWords } from './words'

export function ResourcePageByCode({ def, code }: { def: ResourceDef; code: string }) {
  const kind = def.schema
  const only: Record<string, string> = { code }
  const { data, error, refetch } = useApiQuery(kind.path, { query: only })
  const found = rowsIn<Row>(kind, data)[0]
  if (found) return <LazyResourcePage key={found._id} def={def} id={found._id} />
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{kind.title}</h1>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <EmptyState
          title={crudWords.noCode(code)}
          action={<ButtonLink to={createPage(def)}>{recordWords.add}</ButtonLink>}
        />
      ) : (
        <Loading className="mt-5">
          <Skeleton className="h-64" />
        </Loading>
      )}
    </main>
  )
}
