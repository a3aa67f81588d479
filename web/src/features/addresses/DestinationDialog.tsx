// Selects one of the member's saved addresses.
import type { Destination } from '../../api/types'
import { formatPhone } from '../../lib/phone'
import { Badge } from '../../ui/Badge'
import { Dialog } from '../../ui/Dialog'

export const DESTINATIONS = '/api/v1/me/destinations'

type DestinationDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  destinations: readonly Destination[]
  onPick: (to: Destination) => void
}

export function DestinationDialog({ open, onOpenChange, destinations, onPick }: DestinationDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="배송지 목록">
      <ul className="grid gap-2.5">
        {destinations.map((to) => (
          <li key={to._id}>
            <button
              type="button"
              onClick={() => {
                onPick(to)
                onOpenChange(false)
              }}
              className="w-full rounded-md border border-line-strong p-4 text-left transition-colors hover:border-ink hover:bg-sunken"
            >
              <span className="flex items-center gap-2 font-semibold">
                {to.title || to.name}
                {to.isDefault && <Badge tone="accent">기본</Badge>}
              </span>
              <span className="mt-1 block text-ink-2 text-sm">
                ({to.postcode}) {to.address1} {to.address2}
              </span>
              <span className="figures mt-0.5 block text-ink-3 text-sm">
                {to.name} · {formatPhone(to.phone)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
