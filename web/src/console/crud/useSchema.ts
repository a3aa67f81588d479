// What the server says about a kind, to whoever is reading.
import { useMemo } from 'react'
import { useSession } from '../../api/session'
import { type Descriptor, descriptorOf, heldBy } from './schema'

const NOBODY: readonly string[] = []

export function useKind(kind: string): Descriptor {
  const scopes = useSession((s) => s.payload?.scope) ?? NOBODY
  return useMemo(() => heldBy(descriptorOf(kind), scopes), [kind, scopes])
}
