// The schema of a resource as the current user's scopes allow.
import { useMemo } from 'react'
import { useSession } from '../../api/session'
import { type ResourceSchema, schemaForScopes } from './schema'

const NOBODY: readonly string[] = []

export function useSchema(schema: ResourceSchema): ResourceSchema {
  const scopes = useSession((s) => s.payload?.scope) ?? NOBODY
  return useMemo(() => schemaForScopes(schema, scopes), [schema, scopes])
}
