// The schema of a record whose kind is known only from its history.

import loaders from 'virtual:resource-loaders'
import { useQuery } from '@tanstack/react-query'
import { imported } from '../../lib/importWithRetry'

/** Loads nothing for kinds that are not records. */
export function useRecordSchema(kind: string | undefined) {
  const load = kind === undefined ? undefined : loaders[kind]
  return useQuery({
    queryKey: ['resource-schema', kind],
    queryFn: async () => (load ? (await imported(load)).default : null),
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
