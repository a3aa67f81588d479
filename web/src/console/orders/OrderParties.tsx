// Buyer and receiver of an order; an erased person is shown as erased.
import { useState } from 'react'
import { formatPhone } from '../../lib/phone'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import type { Order, Party } from '../types'
import { ChangeHighlight } from './ChangeHighlight'
import { ReceiverDialog } from './ReceiverDialog'
import { orderWords } from './words'

const t = orderWords

type OrderPartiesProps = {
  order: Order
  orderId: string
  /** A past state; no actions. */
  readOnly: boolean
}

export function OrderParties({ order, orderId, readOnly }: OrderPartiesProps) {
  const [correcting, setCorrecting] = useState(false)
  const mayCorrect = !readOnly && order.nextActions.includes('correctReceiver')
  return (
    <Card
      title={t.people}
      headerAction={
        mayCorrect && (
          <Button size="sm" variant="outline" onClick={() => setCorrecting(true)}>
            {t.correction.title}
          </Button>
        )
      }
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Person title={t.sender} party={order.sender} />
        <Person title={t.receiver} party={order.receiver} paths={['receiver']} />
      </div>
      {order.requestMessage && (
        <p className="mt-4 border-line border-t pt-4">
          <span className="mr-2 text-ink-2">{t.request}</span>
          {order.requestMessage}
        </p>
      )}
      {correcting && (
        <ReceiverDialog orderId={orderId} receiver={order.receiver} onClose={() => setCorrecting(false)} />
      )}
    </Card>
  )
}

type PersonProps = {
  title: string
  party: Party | null | undefined
  /** The path where a correction of this person is highlighted. */
  paths?: readonly string[]
}

function Person({ title, party, paths = [] }: PersonProps) {
  return (
    <div>
      <h3 className="mb-1 font-semibold text-ink-2 text-sm">{title}</h3>
      {party ? (
        <address className="not-italic">
          <p className="font-semibold">
            <ChangeHighlight paths={paths}>{party.name}</ChangeHighlight>
          </p>
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
