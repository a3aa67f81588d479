// The courier and number of a claim's parcel, with a tracking link.
import type { ClaimParcel } from '../../api/types'
import { useCourierName } from '../settings/api'

export function ParcelText({ parcel }: { parcel: ClaimParcel }) {
  const courierName = useCourierName()
  const { courier, invoiceNo, trackingUrl } = parcel
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      <span className="figures">{[courier && courierName(courier), invoiceNo].filter(Boolean).join(' ')}</span>
      {trackingUrl && (
        <a href={trackingUrl} target="_blank" rel="noreferrer" className="underline underline-offset-4">
          배송조회
        </a>
      )}
    </span>
  )
}
