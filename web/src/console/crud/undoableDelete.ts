// Removal with undo. The record is removed at once, so that leaving the page does not lose the removal; a toast offers to restore it.
// Many at once: Bulk.tsx.
import { toApiError } from '../../api/errors'
import { toast } from '../../ui/toast'
import { historyWords } from '../history/words'
import { type ListPath, removeRecord, restoreRecord } from './api'
import type { Document } from './formState'
import { crudWords } from './words'

/** How long the toast with the undo action is shown; later the record is in the list of removed ones. */
export const UNDO_MS = 12_000

type RemoveOptions = {
  /** Of the kind, e.g. `/api/console/shop/brands`. */
  path: ListPath
  id: string
  /** What people call it. */
  called: string
  /** The version it is brought back as, from what the removal answered. */
  versionBack: (answer: Document) => number | undefined
  /** Leads away from a page of the removed record, before anything is read again. */
  leave?: () => void | Promise<void>
  /** What shows it is read again; the record itself only while it is there. */
  changed: (isThere: boolean) => void
}

/** Removes the record; false if that was refused, which a toast says. */
export async function remove({ path, id, called, versionBack, leave, changed }: RemoveOptions): Promise<boolean> {
  try {
    const answer = await removeRecord(path, id)
    const version = versionBack(answer as Document)
    const bringBack = async (version: number) => {
      try {
        await restoreRecord(path, id, version)
        void toast(historyWords.restored, { tone: 'success' })
      } catch (thrown) {
        void toast(toApiError(thrown).told, { tone: 'error' })
      }
      changed(true)
    }
    void toast(crudWords.removed(called), {
      duration: UNDO_MS,
      ...(version !== undefined && { action: { label: crudWords.undo, onClick: () => void bringBack(version) } }),
    })
    await leave?.()
    changed(false)
    return true
  } catch (thrown) {
    void toast(crudWords.notRemoved(called, toApiError(thrown).told), { tone: 'error', duration: UNDO_MS })
    changed(true)
    return false
  }
}
