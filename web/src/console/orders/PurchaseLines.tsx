// The purchases of an order, each with its state, parcel, claim and currently allowed actions.

import type { ReactNode } from 'react'
import { claimWords } from '../../features/claims/words'
import { useCourierName } from '../../features/settings/api'
import { formatDate } from '../../lib/date'
import { StatusBadge } from '../../ui/Badge'
import { Money } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { ExplainableAmount } from '../explain/ExplainableAmount'
import { purchaseWords } from '../purchases/words'
import type { Purchase } from '../types'
import { words } from '../words'
import { ChangeHighlight } from './ChangeHighlight'
import { orderWords } from './words'

const t = orderWords

type PurchaseLinesProps = {
  purchases: readonly Purchase[]
  /** The whole order is shown, so each purchase names its seller. */
  whole: boolean
  actions: (purchase: Purchase) => ReactNode
}

export function PurchaseLines({ purchases, whole, actions }: PurchaseLinesProps) {
  const courierName = useCourierName()
  return (
    <ul className="-my-4 divide-y divide-line">
      {purchases.map((purchase) => {
        const at = (...fields: string[]) => fields.map((field) => `purchases.${purchase.purchaseNo}.${field}`)
        const buttons = actions(purchase)
        return (
          <li key={purchase.purchaseNo} className="flex gap-4 py-4">
            <div className="w-16 shrink-0 overflow-hidden rounded-md">
              <Picture src={purchase.thumb} alt="" sizes="64px" />
            </div>
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
                <div className="min-w-0">
                  <p className="figures text-ink-3 text-xs">
                    {purchase.purchaseNo}
                    {whole && purchase.seller.nickname && ` · ${purchase.seller.nickname}`}
                    {purchase.splitFrom && ` · ${t.splitFrom(purchase.splitFrom)}`}
                  </p>
                  <p className="font-semibold">{purchase.name}</p>
                  <p className="text-ink-2 text-sm">
                    {[purchase.optionName, words.pieces(purchase.quantity)].filter(Boolean).join(' · ')} ·{' '}
                    <ExplainableAmount amount={`purchases.${purchase.purchaseNo}.unitPrice`}>
                      <Money amount={purchase.unitPrice} />
                    </ExplainableAmount>
                  </p>
                </div>
                <div className="max-sm:flex max-sm:w-full max-sm:items-center max-sm:justify-between sm:text-right">
                  <ChangeHighlight paths={at('orderStatus', 'claimStatus', 'purchaseStatus', 'collectionStatus')}>
                    <StatusBadge {...purchase} />
                  </ChangeHighlight>
                  <p className="font-bold sm:mt-1">
                    <ExplainableAmount amount={`purchases.${purchase.purchaseNo}.paid`}>
                      <Money amount={purchase.paid} />
                    </ExplainableAmount>
                  </p>
                </div>
              </div>
              {purchase.invoiceNo && (
                <p className="mt-1.5 text-sm">
                  <ChangeHighlight paths={at('invoice')}>
                    {courierName(purchase.courier ?? '')} <span className="figures">{purchase.invoiceNo}</span>
                  </ChangeHighlight>{' '}
                  {purchase.trackingUrl && (
                    <a
                      href={purchase.trackingUrl}
                      target="_blank"
                      rel="noreferrer"
                      className="ml-1 underline underline-offset-4 hover:text-accent"
                    >
                      {t.track}
                    </a>
                  )}
                </p>
              )}
              {purchase.confirmOn && (
                <p className="mt-1 text-ink-2 text-sm">
                  <ChangeHighlight paths={at('confirmOn')}>
                    {t.confirmOn(formatDate(purchase.confirmOn))}
                  </ChangeHighlight>
                </p>
              )}
              {purchase.claim && (
                <p className="mt-1.5 rounded-sm bg-warning-soft px-3 py-1.5 text-sm">
                  <span className="text-warning">{t.claim(claimWords.kind[purchase.claim.kind])}</span>{' '}
                  <ChangeHighlight paths={at('claim')}>{purchase.claim.reason}</ChangeHighlight>
                  {purchase.claim.rejection && (
                    <span className="block text-ink-2">{t.rejection(purchase.claim.rejection)}</span>
                  )}
                  {!whole && purchase.claim.forStaff && purchase.claimStatus.endsWith('_REQUESTED') && (
                    <span className="block text-ink-2">{purchaseWords.list.forStaff}</span>
                  )}
                </p>
              )}
              {buttons && <div className="mt-3 flex flex-wrap gap-2 empty:hidden">{buttons}</div>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
