// Who ordered and who gets it; a forgotten person is said to be forgotten.
import { formatPhone } from '../../lib/phone'
import { Card } from '../../ui/Card'
import type { Order, Party } from '../types'
import { orderWords } from './words'

const t = orderWords

export function OrderParties({ order }: { order: Order }) {
  return (
    <Card title={t.people}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Person title={t.sender} party={order.sender} />
        <Person title={t.receiver} party={order.receiver} />
      </div>
      {order.requestMessage && (
        <p className="mt-4 border-line border-t pt-4">
          <span className="mr-2 text-ink-2">{t.request}</span>
          {order.requestMessage}
        </p>
      )}
    </Card>
  )
}

function Person({ title, party }: { title: string; party: Party | null | undefined }) {
  return (
    <div>
      <h3 className="mb-1 font-semibold text-ink-2 text-sm">{title}</h3>
      {party ? (
        <address className="not-italic">
          <p className="font-semibold">{party.name}</p>
          <p className="figures">{formatPhone(party.phone)}</p>
          {party.email && <p className="break-all">{party.email}</p>}
          {party.address1 && (
            <p>
              {party.postcode && <span className="figures">({party.postcode}) </span>}
              {[party.address1, party.address2].filter(Boolean).join(' ')}
            </p>
          )}
        </address>
      ) : (
        <p className="text-ink-3">{t.forgotten}</p>
      )}
    </div>
  )
}
