// Deletes a member's own item with undo: it is deleted at once and can be restored.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client'
import type { Documented } from '../api/openapiTypes'
import { toast } from '../ui/toast'

const LONG_ENOUGH_MS = 8000

type UndoableRemoval<T> = {
  remove: (one: T) => Promise<unknown>
  restore: (one: T) => Promise<unknown>
  said: { removed: string; restored: string }
  /** Invalidates the reads that show it. */
  changed: (client: QueryClient) => Promise<unknown>
}

/** Deletes one item, and offers to restore it. */
export function useUndoableRemoval<T>({ remove, restore, said, changed }: UndoableRemoval<T>) {
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: restore,
    onSuccess: () => void toast(said.restored, { tone: 'success' }),
    onSettled: () => changed(queryClient),
  })
  return useMutation({
    mutationFn: remove,
    onSuccess: (_answer, one) =>
      void toast(said.removed, {
        duration: LONG_ENOUGH_MS,
        action: { label: '되돌리기', onClick: () => undo.mutate(one) },
      }),
    onSettled: () => changed(queryClient),
  })
}

/** Paths of member-owned items that the server can restore. */
type RestorablePath = {
  [P in Documented]: P extends `${infer Things extends '/api/v1/me/reviews' | '/api/v1/me/inquires'}/{id}/restore`
    ? Things
    : never
}[Documented]

/** Deletes the item `id` of `path`. */
export const useDeleteWithUndo = (
  path: RestorablePath,
  said: UndoableRemoval<string>['said'],
  changed: UndoableRemoval<string>['changed'],
) =>
  useUndoableRemoval<string>({
    remove: (id) => call('DELETE', `${path}/{id}`, { path: { id } }),
    restore: (id) => call('POST', `${path}/{id}/restore`, { path: { id } }),
    said,
    changed,
  })
