// A name, a phone number and an address.
import type { Party } from '../../api/types'
import { formatPhone } from '../../lib/phone'

type Addressed = Pick<Party, 'name' | 'phone' | 'postcode' | 'address1' | 'address2'>

export function PartyAddress({ party }: { party: Addressed }) {
  return (
    <address className="not-italic">
      <p className="font-semibold">{party.name}</p>
      <p className="figures text-ink-2">{formatPhone(party.phone ?? '')}</p>
      <p className="mt-1">
        {party.postcode && <span className="figures">({party.postcode}) </span>}
        {[party.address1, party.address2].filter(Boolean).join(' ')}
      </p>
    </address>
  )
}
