// The file of receivers for a courier's program.
import { decoded, requestOf, send } from '../../api/client'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import type { Matching } from '../crud/ResourceTable'

type ParcelFile = { matching?: Matching; purchaseNos?: string[] }

/** Reads out the receivers of these purchases; each order records it. */
export async function downloadParcels(body: ParcelFile): Promise<{ blob: Blob; name: string }> {
  const headers = idempotent(newIdempotencyKey())
  const response = await send(
    requestOf('POST', '/api/console/shop/purchases/receivers/export', { headers, body: { ...body, format: 'xlsx' } }),
  )
  const name = /filename="?([^";]+)"?/i.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: decoded(name ?? null) ?? 'parcels.xlsx' }
}
