// Taking records away with a way back: the command waits a moment, and until then one word takes it back. Who leaves sends it at once.
import { create } from 'zustand'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { toast } from '../../ui/toast'
import { words } from '../words'

/** How long a removal can be taken back. */
export const REMOVAL_MS = 6000
/** It comes late, when one looks elsewhere already. */
const REFUSAL_MS = 12_000

type Waiting = {
  ids: readonly string[]
  timer: ReturnType<typeof setTimeout>
  send: (leaving: boolean) => Promise<void>
}

/** Records that are as good as gone: lists leave them out. */
export const useLeaving = create<{ ids: readonly string[] }>(() => ({ ids: [] }))

const waiting = new Set<Waiting>()

const show = (ids: readonly string[]) =>
  useLeaving.setState((state) => ({ ids: state.ids.filter((id) => !ids.includes(id)) }))

/** Removes the records of `path` after a moment; `onDone` once the server has answered. */
export function removeLater(path: string, ids: readonly string[], called: string, onDone: () => void): void {
  const send = async (leaving: boolean) => {
    waiting.delete(one)
    clearTimeout(one.timer)
    const refusals: string[] = []
    const remove = (id: string) =>
      call('DELETE', `${path}/{id}`, { path: { id }, keepalive: leaving }).catch((thrown: unknown) => {
        refusals.push(toApiError(thrown).message)
      })
    // One after the other: a record's refusal must not hide another's removal.
    if (leaving) await Promise.all(ids.map(remove))
    else for (const id of ids) await remove(id)
    show(ids)
    if (refusals.length > 0) {
      const which = ids.length === 1 ? called : words.kit.notRemovedOf(called, refusals.length)
      void toast(words.kit.notRemoved(which, refusals[0] ?? ''), { tone: 'error', duration: REFUSAL_MS })
    }
    onDone()
  }
  const one: Waiting = { ids, send, timer: setTimeout(() => void send(false), REMOVAL_MS) }
  waiting.add(one)
  useLeaving.setState((state) => ({ ids: [...state.ids, ...ids] }))
  void toast(words.kit.removing(called), {
    duration: REMOVAL_MS,
    action: {
      label: words.kit.undo,
      onClick: () => {
        clearTimeout(one.timer)
        if (waiting.delete(one)) show(ids)
      },
    },
  })
}

/** Sends everything that still waits. */
export function flushRemovals(leaving = false): void {
  for (const one of [...waiting]) void one.send(leaving)
}

window.addEventListener('pagehide', () => flushRemovals(true))
