// Taking something of one's own back, with a moment to change one's mind: it is removed at once and can be brought back.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client'
import type { Documented } from '../api/openapiTypes'
import { toast } from '../ui/toast'

const LONG_ENOUGH_MS = 8000

/** Where the member's own things are that can be brought back. */
type RestorablePath = {
  [P in Documented]: P extends `${infer Things extends '/api/v1/me/reviews' | '/api/v1/me/inquires'}/{id}/restore`
    ? Things
    : never
}[Documented]

/** Removes the thing `id` of `path`; `changed` reads again what shows it. */
export function useDeleteWithUndo(
  path: RestorablePath,
  said: { removed: string; restored: string },
  changed: (client: ReturnType<typeof useQueryClient>) => Promise<unknown>,
) {
  const queryClient = useQueryClient()
  const restore = useMutation({
    mutationFn: (id: string) => call('POST', `${path}/{id}/restore`, { path: { id } }),
    onSuccess: () => void toast(said.restored, { tone: 'success' }),
    onSettled: () => changed(queryClient),
  })
  return useMutation({
    mutationFn: (id: string) => call('DELETE', `${path}/{id}`, { path: { id } }),
    onSuccess: (_answer, id) =>
      void toast(said.removed, {
        duration: LONG_ENOUGH_MS,
        action: { label: '되돌리기', onClick: () => restore.mutate(id) },
      }),
    onSettled: () => changed(queryClient),
  })
}
