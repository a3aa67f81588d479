// The purchases of a tab; actions apply to a selection, or to all that match.

import purchase from 'virtual:resource/purchase'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { Button } from '../../ui/Button'
import { optional } from '../../ui/Optional'
import { EmptyState } from '../../ui/states'
import { type Choice, ResourceTable } from '../crud/ResourceTable'
import { useSchema } from '../crud/useSchema'
import type { Action, PurchaseInList } from '../types'
import { listAt } from './list'
import { anyActions, listActions, type Outcome } from './purchaseActions'
import { PurchaseTabs, type Tab, tabOf } from './tabs'
import { purchaseWords } from './words'

const ActionDialog = optional(() => import('./ActionDialog'))

const t = purchaseWords.list

export function Component() {
  const tab = tabOf(useLocation().pathname)
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{tab === 'all' ? '주문상품' : `주문상품 · ${purchaseWords.tabs[tab]}`}</h1>
      <PurchaseTabs className="mt-4" />
      {/* Each tab is a separate list with its own selection. */}
      <Purchases key={tab} tab={tab} />
    </main>
  )
}

type PurchaseChoice = Choice<PurchaseInList>

function Purchases({ tab }: { tab: Tab }) {
  const kind = useSchema(purchase)
  const [title, text] = t.none[tab]
  const [acting, setActing] = useState<{ action: Action; choice: PurchaseChoice }>()
  const forget = ({ choice }: { choice: PurchaseChoice }, outcomes: Outcome[]) =>
    choice.letGo(
      choice.matching ? undefined : outcomes.filter(({ refusal }) => !refusal).map(({ purchaseNo }) => purchaseNo),
    )
  return (
    <>
      <ResourceTable<PurchaseInList>
        def={listAt(tab)}
        kind={kind}
        caption={purchaseWords.tabs[tab]}
        only={{ tab }}
        bulk={(choice) => <BulkButtons choice={choice} onAct={(action) => setActing({ action, choice })} />}
        choosesAll
        empty={<EmptyState title={title} text={text} />}
      />
      {acting && (
        <ActionDialog
          key={acting.action}
          action={acting.action}
          rows={acting.choice.rows}
          all={acting.choice.matching && { matching: acting.choice.matching, count: acting.choice.count }}
          onDone={(outcomes) => forget(acting, outcomes)}
          onClose={() => setActing(undefined)}
        />
      )}
    </>
  )
}

function BulkButtons({ choice, onAct }: { choice: PurchaseChoice; onAct: (action: Action) => void }) {
  const allowed = choice.matching ? anyActions(choice.rows) : listActions(choice.rows)
  if (allowed.length === 0) return <span className="text-ink-3">{t.selectFirst}</span>
  return allowed.map((action) => (
    <Button key={action} size="sm" variant="outline" onClick={() => onAct(action)}>
      {purchaseWords.action[action]}
    </Button>
  ))
}
