// Runs an action on many rows in batches, with progress, and can be stopped between batches.

import type { components } from '../../api/schema.gen'
import { changeRecords, type ListPath } from './api'
import type { Document } from './formState'
import type { Matching } from './ResourceTable'

/** Result of a batch; `next` is the start of the following one. */
export type BatchResult = components['schemas']['Outcome']

/** Batch size when ids are given. */
export const BATCH_SIZE = 50

/** Runs batch after batch from `from` until the last one or `isStopped`. Throws when a batch fails; the ones before are complete. */
export async function runInBatches<At, P extends { next?: At | null }>(
  ask: (after: At | undefined) => Promise<P>,
  onPart: (part: P) => void,
  isStopped: () => boolean = () => false,
  from?: At,
): Promise<void> {
  let after = from
  do {
    const part = await ask(after)
    onPart(part)
    after = part.next ?? undefined
  } while (after !== undefined && !isStopped())
}

/** Records by their ids, or all that match. */
export type Selection = { ids: readonly string[]; matching?: Matching }

/** A request for {@link runInBatches}. */
export const bulkRequest =
  (path: ListPath, body: Document, { ids, matching }: Selection) =>
  async (after: string | undefined): Promise<BatchResult> => {
    const send = (which: Document) => changeRecords(path, { ...body, ...which })
    if (matching) return send({ matching, after })
    const from = Number(after ?? 0)
    const to = from + BATCH_SIZE
    const part = await send({ ids: ids.slice(from, to) })
    return { ...part, next: to < ids.length ? String(to) : null }
  }
