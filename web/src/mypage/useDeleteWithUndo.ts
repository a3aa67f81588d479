// Taking something of one's own back, with a moment to change one's mind: it is removed at once and can be brought back.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client'
import { toast } from '../ui/toast'

const LONG_ENOUGH_MS = 8000

/** Removes the thing `id` of `path`; `changed` reads again what shows it. */
export function useDeleteWithUndo(
  path: string,
  said: { removed: string; restored: string },
  changed: (client: ReturnType<typeof useQueryClient>) => Promise<unknown>,
) {
  const queryClient = useQueryClient()
  const restore = useMutation({
    mutationFn: (id: string) => call<unknown>('POST', `${path}/{id}/restore` as string, { path: { id } }),
    onSuccess: () => void toast(said.restored, { tone: 'success' }),
    onSettled: () => changed(queryClient),
  })
  return useMutation({
    mutationFn: (id: string) => call<unknown>('DELETE', `${path}/{id}` as string, { path: { id } }),
    onSuccess: (_answer, id) =>
      void toast(said.removed, {
        duration: LONG_ENOUGH_MS,
        action: { label: '되돌리기', onClick: () => restore.mutate(id) },
      }),
    onSettled: () => changed(queryClient),
  })
}
