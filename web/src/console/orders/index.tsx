// One order: its state, the currently allowed actions, its history, and its state at any moment of the history.
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { isOpen } from '../../features/claims/words'
import { cn } from '../../lib/cn'
import { useTitle } from '../../lib/pageContext'
import { StatusBadge } from '../../ui/Badge'
import { Button, ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import { ExplanationSubject } from '../explain/ExplainableAmount'
import { CausationTree } from '../history/CausationTree'
import { causationWords } from '../history/causationWords'
import { History } from '../history/History'
import { TimeSlider } from '../history/TimeSlider'
import { timeTravelWords } from '../history/timeTravelWords'
import { useTimeTravel } from '../history/useTimeTravel'
import { historyWords } from '../history/words'
import { LedgerLink } from '../ledgers/LedgerLink'
import { ledgerWords } from '../ledgers/words'
import { PurchaseActionDialog, type PurchaseSelection } from '../purchases/PurchaseActionDialog'
import { ACTIONS } from '../purchases/purchaseActions'
import { actionText } from '../purchases/words'
import type { Action, HistoryEvent, Order } from '../types'
import { Amounts } from './Amounts'
import { type Marks, MarksOf } from './ChangeHighlight'
import { OrderClaims } from './OrderClaims'
import { OrderParties } from './OrderParties'
import { changes } from './orderDiff'
import { Payments } from './Payments'
import { PurchaseLines } from './PurchaseLines'
import { StaffNote } from './StaffNote'
import { orderWords } from './words'

const t = orderWords
const past = timeTravelWords
const NOTHING: readonly HistoryEvent[] = []
/** Refetch interval of an open order. */
const LIVE = { refetchInterval: 5000 }
/** The past does not change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY }

export function Component() {
  const { orderId = '' } = useParams()
  const path = { path: { id: orderId } }
  // Refunds and deadlines happen in the background: the page refetches by itself.
  const today = useApiQuery('/api/console/shop/orders/{id}', path, LIVE)
  // The history covers the whole order, so it is for staff; a seller sees only their part.
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const history = useApiQuery('/api/console/shop/orders/{id}/history', path, { ...LIVE, enabled: isStaff })
  const events = history.data?.events ?? NOTHING

  const { at, isPast, position: explainedAt, travel } = useTimeTravel(events)
  const then = useAsOf(orderId, explainedAt)
  const following = useAsOf(orderId, isPast ? events[at + 1]?.position : undefined)
  const order = isPast ? then.data?.order : today.data?.order
  const next = isPast ? (following.data?.order ?? (at >= events.length - 1 ? today.data?.order : undefined)) : undefined
  const marked = order && next ? changes(order, next) : []
  const marks: Marks = new Map(marked.map((change) => [change.path, change]))
  useTitle(today.data && t.title(today.data.order.orderNo))

  if (today.error && !today.data) return <OrderError error={today.error} onRetry={() => void today.refetch()} />
  if (!today.data) return <Outline />
  return (
    <main id="content" className="mx-auto max-w-6xl">
      <Neighbours orderId={today.data.order._id} />
      <Head order={order ?? today.data.order} />
      {events.length > 0 && (
        <Card title={past.title} className={isPast ? 'mt-5 border-warning ring-1 ring-warning' : 'mt-5'}>
          <p className="-mt-3 mb-4 text-ink-2 text-sm">{past.lead}</p>
          <TimeSlider events={events} at={at} onAt={travel} />
          {isPast && (
            <div className="mt-4 border-line border-t pt-4">
              <p className="font-semibold text-sm">{past.next}</p>
              {marked.length > 0 ? (
                <ul className="mt-2 grid gap-1 text-sm">
                  {marked.map((change) => (
                    <li key={change.path}>
                      <span className="text-ink-2">{change.label}:</span> {change.from} <span aria-hidden>→</span>
                      <span className="sr-only">{past.changes}</span> <strong>{change.to}</strong>
                    </li>
                  ))}
                </ul>
              ) : (
                <p className="mt-1 text-ink-2 text-sm">
                  {at >= events.length - 1 ? past.last : following.isPending ? '…' : past.nothing}
                </p>
              )}
            </div>
          )}
        </Card>
      )}
      <div className={cn('mt-5 grid items-start gap-5', isStaff && 'lg:grid-cols-[minmax(0,1fr)_24rem]')}>
        <MarksOf value={marks}>
          {order ? (
            <ExplanationSubject
              value={isStaff ? { subject: 'order', id: today.data.order._id, position: explainedAt } : undefined}
            >
              <Body
                order={order}
                orderId={today.data.order._id}
                readOnly={isPast}
                whole={isStaff}
                ledgers={isStaff && <Ledgers id={today.data.order._id} events={events} />}
              />
            </ExplanationSubject>
          ) : then.error ? (
            <Card>
              <EmptyState title={past.none} />
            </Card>
          ) : (
            <Loading className="grid gap-5">
              <Skeleton className="h-64" />
            </Loading>
          )}
        </MarksOf>
        {isStaff && (
          <Card
            title={historyWords.title}
            className="lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
          >
            <p className="-mt-3 mb-5 text-ink-2 text-sm">{historyWords.lead}</p>
            {history.error ? (
              <ErrorState error={history.error} onRetry={() => void history.refetch()} />
            ) : (
              <Tabs
                label={historyWords.title}
                tabs={[
                  {
                    value: 'time',
                    label: causationWords.byTime,
                    content: (
                      <History
                        events={events}
                        current={isPast ? events[at]?.position : undefined}
                        actions={(event) => (
                          <Button size="sm" variant="ghost" onClick={() => travel(events.indexOf(event))}>
                            {historyWords.see}
                          </Button>
                        )}
                      />
                    ),
                  },
                  {
                    value: 'cause',
                    label: causationWords.byCause,
                    content: <CausationTree subject="order" id={orderId} position={explainedAt} />,
                  },
                ]}
              />
            )}
          </Card>
        )}
      </div>
    </main>
  )
}

/** The order's state at a position of the log. */
const useAsOf = (id: string, position: number | undefined) =>
  useApiQuery(
    '/api/console/shop/orders/{id}/asof',
    { path: { id }, query: { position } },
    { ...FOREVER, enabled: position !== undefined, retry: false },
  )

function Head({ order }: { order: Order }) {
  return (
    <header>
      <p className="text-sm">
        <Link to="/console/shop/purchases/all" className="tap text-ink-2 underline-offset-4 hover:underline">
          ‹ {t.purchases}
        </Link>
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="figures font-bold text-2xl">{t.title(order.orderNo)}</h1>
        {order.purchases.length > 1 &&
          [...new Map(order.purchases.map((purchase) => [purchase.statusText, purchase])).values()].map((purchase) => (
            <StatusBadge key={purchase.purchaseNo} {...purchase} />
          ))}
      </div>
      <p className="figures mt-1 text-ink-2 text-sm">
        {t.placed} <DateText value={order.createdAt} style="second" />
      </p>
    </header>
  )
}

type BodyProps = {
  order: Order
  orderId: string
  readOnly: boolean
  /** The whole order including its payments; a seller gets only their part. */
  whole: boolean
  /** Links to its entries in the books and points. */
  ledgers: ReactNode
}

function Ledgers({ id, events }: { id: string; events: readonly HistoryEvent[] }) {
  const points = events.find((event) => event.stream.kind === 'points')
  return (
    <span className="flex flex-wrap gap-x-3 text-sm">
      <LedgerLink stream={{ kind: 'money', id }}>{ledgerWords.titles.money}</LedgerLink>
      {points && <LedgerLink stream={points.stream}>{ledgerWords.titles.points}</LedgerLink>}
    </span>
  )
}

const DANGEROUS: readonly Action[] = ['cancel', 'rejectCancel', 'rejectReturn', 'rejectExchange']

function Body({ order, orderId, readOnly, whole, ledgers }: BodyProps) {
  const [doing, setDoing] = useState<{ action: Action; rows: readonly PurchaseSelection[] }>()
  const cancelable = order.purchases.filter((purchase) => purchase.nextActions.includes('cancel'))
  const start = (action: Action, rows: readonly Order['purchases'][number][]) =>
    setDoing({
      action,
      rows: rows.map((row) => ({ ...row, _order: orderId, claimParcel: claimParcelOf(order, action, row.purchaseNo) })),
    })
  const mayCancelAll = !readOnly && order.nextActions.includes('cancel')
  return (
    <div className="grid gap-5">
      <Card
        title={t.purchases}
        headerAction={
          mayCancelAll && (
            <Button
              size="sm"
              variant="danger"
              onClick={() => start('cancel', cancelable.length > 0 ? cancelable : order.purchases)}
            >
              {t.cancelAll}
            </Button>
          )
        }
      >
        <PurchaseLines
          purchases={order.purchases}
          whole={whole}
          actions={(purchase) =>
            readOnly
              ? null
              : ACTIONS.filter((action) => purchase.nextActions.includes(action)).map((action) => (
                  <Button
                    key={action}
                    size="sm"
                    variant={DANGEROUS.includes(action) ? 'danger' : 'outline'}
                    onClick={() => start(action, [purchase])}
                  >
                    {actionText(action, purchase)}
                  </Button>
                ))
          }
        />
      </Card>
      <OrderClaims order={order} />
      <Amounts order={order} whole={whole} ledgers={ledgers} />
      {whole && (
        <Payments
          orderId={orderId}
          claims={order.claims}
          payments={order.payments}
          payBy={order.payBy}
          readOnly={readOnly}
        />
      )}
      <OrderParties order={order} orderId={orderId} readOnly={readOnly} />
      {whole && <StaffNote orderId={orderId} note={order.remark ?? ''} readOnly={readOnly} />}
      {doing && (
        <PurchaseActionDialog
          key={doing.action + doing.rows.map((row) => row.purchaseNo).join()}
          action={doing.action}
          rows={doing.rows}
          about={answeredWith(order, doing.action, doing.rows)}
          onClose={() => setDoing(undefined)}
        />
      )}
    </div>
  )
}

/** The parcel of a purchase's open claim that an action corrects. */
function claimParcelOf({ claims }: Order, action: Action, purchaseNo: string) {
  const claim = claims.find((one) => isOpen(one) && one.purchaseNos.includes(purchaseNo))
  if (action === 'pickUpGoods') return claim?.invoice
  return action === 'correctReplacement' || action === 'shipReplacement' ? claim?.exchange?.invoice : undefined
}

/** The goods of the purchase's claim, since a decision applies to all of them. */
function answeredWith({ purchases }: Order, action: Action, rows: readonly PurchaseSelection[]): string | undefined {
  const answers: readonly Action[] = ['approveCancel', 'rejectCancel', 'approveReturn', 'rejectReturn']
  if (!answers.includes(action)) return undefined
  const claim = purchases.find((one) => one.purchaseNo === rows[0]?.purchaseNo)?.claim?._id
  const together = claim ? purchases.filter((one) => one.claim?._id === claim) : []
  return together.length > 1 ? together.map(({ name }) => name).join(', ') : undefined
}

function OrderError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main id="content">
      <h1 className="sr-only">{t.purchases}</h1>
      <LoadError
        error={error}
        onRetry={onRetry}
        title="찾으시는 주문이 없습니다"
        action={<ButtonLink to="/console/shop/purchases/all">{t.purchases}</ButtonLink>}
      />
    </main>
  )
}

function Outline() {
  return (
    <main id="content" className="mx-auto max-w-6xl">
      <h1 className="sr-only">{t.purchases}</h1>
      <Loading className="grid gap-5">
        <Skeleton className="h-16 w-80" />
        <Skeleton className="h-32" />
        <Skeleton className="h-96" />
      </Loading>
    </main>
  )
}

/** Links to the orders placed just before and after. */
function Neighbours({ orderId }: { orderId: string }) {
  const { data } = useApiQuery('/api/console/shop/orders/{id}/neighbours', { path: { id: orderId } })
  return (
    <nav aria-label={t.neighbours} className="mb-2 flex min-h-9 justify-end gap-2">
      {data?.previous && (
        <ButtonLink size="sm" variant="ghost" to={`/console/shop/orders/${data.previous}`}>
          {t.previous}
        </ButtonLink>
      )}
      {data?.next && (
        <ButtonLink size="sm" variant="ghost" to={`/console/shop/orders/${data.next}`}>
          {t.next}
        </ButtonLink>
      )}
    </nav>
  )
}
