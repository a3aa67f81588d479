// The claims of an order, newest first: items, reason, progress, refund or replacement, and the state of parcels and goods.

import { claimDateFacts } from '../../features/claims/ClaimDates'
import ClaimPictures, { CONSOLE_PICTURE } from '../../features/claims/ClaimPictures'
import { differenceFacts, differenceText } from '../../features/claims/difference'
import { ParcelText } from '../../features/claims/ParcelText'
import { PartyAddress } from '../../features/claims/PartyAddress'
import { RefundFacts } from '../../features/claims/RefundFacts'
import {
  claimStateText,
  claimTone,
  claimWords,
  exchangeCost,
  feeStateText,
  goodsText,
  hasRefund,
  isOpen,
  purchasesOf,
} from '../../features/claims/words'
import { Badge } from '../../ui/Badge'
import { Card, Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import type { Claim, Order } from '../types'
import { ChangeHighlight } from './ChangeHighlight'
import { orderWords } from './words'

const t = orderWords

export function OrderClaims({ order }: { order: Order }) {
  if (order.claims.length === 0) return null
  return (
    <Card title={t.claims}>
      <ul className="-my-5 divide-y divide-line">
        {order.claims.toReversed().map((claim) => (
          <li key={claim._id} className="py-5">
            <OneClaim order={order} claim={claim} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function OneClaim({ order, claim }: { order: Order; claim: Claim }) {
  const { pickup, invoice, inspection, sentBack, rejection, fault } = claim
  const at = (field: string) => [`claims.${claim._id}.${field}`]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <ChangeHighlight paths={at('state')}>
            <Badge tone={claimTone(claim)}>{claimStateText(order, claim)}</Badge>
          </ChangeHighlight>
          <span className="text-ink-3 text-sm">{t.claimBy[claim.by]}</span>
        </p>
        <ul className="mt-1.5 grid gap-1">
          {purchasesOf(order, claim).map((purchase) => (
            <li key={purchase.purchaseNo}>
              <span className="figures block text-ink-3 text-xs">{purchase.purchaseNo}</span>
              {goodsText(purchase)}
            </li>
          ))}
        </ul>
        <p className="wrap-anywhere mt-1.5 text-ink-2">{claim.reason}</p>
        <ClaimPictures
          pictures={claim.pictures}
          purchaseNo={claim.purchaseNos[0] ?? ''}
          from={CONSOLE_PICTURE}
          className="mt-3"
        />
        {rejection && <p className="wrap-anywhere mt-1 text-danger text-sm">{t.rejection(rejection)}</p>}
        <Facts className="mt-3 text-sm empty:hidden" rows={claimDateFacts(claim)} />
        {pickup && (
          <div className="mt-3 text-sm">
            <h3 className="font-semibold text-ink-2">{t.pickup}</h3>
            <PartyAddress party={pickup} />
          </div>
        )}
      </div>
      <div className="min-w-0 text-sm">
        <ChangeHighlight paths={at('refund')}>
          {claim.refund && hasRefund(claim) && <RefundFacts refund={claim.refund} due={claim.state !== 'COMPLETED'} />}
        </ChangeHighlight>
        <Facts
          className="mt-4 empty:hidden"
          rows={[
            ...(fault ? [{ name: inspection ? t.claimFaultAsked : t.claimFault, value: claimWords.fault[fault] }] : []),
            ...(invoice
              ? [
                  {
                    name: t.pickupParcel,
                    value: (
                      <ChangeHighlight paths={at('invoice')}>
                        <ParcelText parcel={invoice} />
                      </ChangeHighlight>
                    ),
                  },
                ]
              : []),
            ...(inspection
              ? [
                  {
                    name: t.inspection,
                    value: (
                      <ChangeHighlight paths={at('inspection')}>
                        {t.inspected(inspection.arrived, inspection.resellable)}
                      </ChangeHighlight>
                    ),
                  },
                  { name: t.claimFault, value: claimWords.fault[inspection.fault] },
                ]
              : []),
            ...exchangeFacts(claim),
            ...(sentBack
              ? [
                  {
                    name: t.sentBack,
                    value: (
                      <ChangeHighlight paths={at('sentBack')}>
                        <ParcelText parcel={sentBack} />
                      </ChangeHighlight>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </div>
  )
}

/** The replacement goods, what the buyer pays, and their state. */
function exchangeFacts(claim: Claim) {
  const { _id, exchange } = claim
  if (!exchange) return []
  const { optionName, returnedOptionName, price, invoice, delayReason, difference, differenceBack } = exchange
  const paths = [`claims.${_id}.exchange`]
  return [
    ...(returnedOptionName ? [{ name: t.returnedOption, value: returnedOptionName }] : []),
    { name: t.replacement, value: optionName ?? t.sameAgain },
    ...(difference ? [{ name: t.difference, value: differenceText(difference, 1) }] : []),
    ...differenceFacts(differenceBack, !!invoice),
    // An exchange that was rejected or withdrawn charges nothing.
    ...(price > 0 && (isOpen(claim) || claim.state === 'COMPLETED')
      ? [{ name: t.price, value: <Money amount={price} /> }]
      : []),
    ...(exchangeCost(exchange) > 0
      ? [
          {
            name: price > 0 ? t.exchangeCost : t.exchangeFee,
            value: (
              <ChangeHighlight paths={paths}>
                <Money amount={exchangeCost(exchange)} /> · {feeStateText(exchange)}
              </ChangeHighlight>
            ),
          },
        ]
      : []),
    ...(invoice
      ? [
          {
            name: t.replacementParcel,
            value: (
              <ChangeHighlight paths={[`claims.${_id}.replacement`]}>
                <ParcelText parcel={invoice} />
              </ChangeHighlight>
            ),
          },
        ]
      : []),
    ...(delayReason ? [{ name: t.delayReason, value: delayReason }] : []),
  ]
}
