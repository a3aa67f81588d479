// Deletion with undo. The record is deleted at once, so that leaving the page does not lose the deletion; a toast offers to restore it.
// Many at once: Bulk.tsx.
import { toApiError } from '../../api/errors'
import { toast } from '../../ui/toast'
import { historyWords } from '../history/words'
import { type ListPath, removeRecord, restoreRecord } from './api'
import type { Document } from './formState'
import { crudWords } from './words'

/** How long the toast with the undo action is shown; later the record is in the list of deleted ones. */
export const UNDO_MS = 12_000

type RemoveOptions = {
  /** Of the kind, e.g. `/api/console/shop/brands`. */
  path: ListPath
  id: string
  /** Display name of the kind. */
  called: string
  /** The version for the restore, from the response to the deletion. */
  versionBack: (answer: Document) => number | undefined
  /** Leaves a page of the deleted record, before anything is read again. */
  leave?: () => void | Promise<void>
  /** Invalidates the reads that show it; the record itself only while it exists. */
  changed: (isThere: boolean) => void
}

/** Deletes the record; false if that was refused, which a toast reports. */
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
