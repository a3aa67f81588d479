// What a buyer may do next with an order or one purchase of it: exactly what the server lists, nothing the screen thinks up.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guest-orders'
import { payOrder } from '../../api/payment'
import { readKey } from '../../api/read'
import type { NextAction, OrderCard, PurchaseRow } from '../../api/wire'
import reasons from '../../i18n/cancel-reasons.json'
import { ko } from '../../i18n/ko'
import { ask } from '../../ui/ask'
import { Button } from '../../ui/Button'
import { RadioGroup } from '../../ui/Choice'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'

export const MY_ORDERS = '/api/v1/me/orders'
export const MY_ORDER = '/api/v1/me/orders/{id}'

const LABELS: Record<string, string> = {
  pay: '결제하기',
  cancel: '주문취소',
  requestCancel: '취소신청',
  confirm: '구매확정',
}

type ActionsProps = {
  order: Pick<OrderCard, '_id' | 'paymentMethod' | 'nextActions' | 'purchases'>
  /** One purchase, or the whole order. */
  purchase?: PurchaseRow
  onDone?: () => void
}

/** The actions to show: an order of one purchase shows the order's with the purchase's, and none of its own. */
export function actionsFor({ order, purchase }: ActionsProps): NextAction[] {
  const single = order.purchases.length === 1
  const given = purchase
    ? [...(single ? order.nextActions : []), ...purchase.nextActions]
    : single
      ? []
      : order.nextActions
  return [...new Set(given)].filter((action) => LABELS[action] !== undefined)
}

export function Actions(props: ActionsProps) {
  const { order, purchase, onDone } = props
  const queryClient = useQueryClient()
  const [canceling, setCanceling] = useState<NextAction>()
  const headers = guestOrderHeaders(order._id)
  const done = async (said: string) => {
    void toast(said, { tone: 'success' })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: readKey(MY_ORDERS).slice(0, 2) }),
      queryClient.invalidateQueries({ queryKey: readKey(MY_ORDER).slice(0, 2) }),
    ])
    onDone?.()
  }
  const confirm = useMutation({
    mutationFn: () =>
      call('POST', `${MY_ORDER}/confirm`, {
        path: { id: order._id },
        headers,
        body: purchase ? { purchaseNo: purchase.purchaseNo } : {},
      }),
    onSuccess: () => done('구매를 확정했습니다.'),
  })
  const pay = useMutation({ mutationFn: () => payOrder(order._id, order.paymentMethod) })

  const start = async (action: NextAction) => {
    if (action === 'pay') pay.mutate()
    if (action === 'cancel' || action === 'requestCancel') setCanceling(action)
    if (
      action === 'confirm' &&
      (await ask({
        title: '구매를 확정할까요?',
        text: '확정하면 적립금이 쌓입니다. 확정한 뒤에도 법이 정한 기간 안에는 고객센터에서 청약철회와 교환·반품을 신청할 수 있습니다.',
        yes: LABELS.confirm,
      }))
    )
      confirm.mutate()
  }

  const actions = actionsFor(props)
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'pay' ? 'accent' : 'outline'}
          busy={(action === 'confirm' && confirm.isPending) || (action === 'pay' && pay.isPending)}
          onClick={() => void start(action)}
        >
          {purchase ? LABELS[action] : action === 'pay' ? LABELS.pay : `전체 ${LABELS[action]}`}
        </Button>
      ))}
      {canceling && (
        <CancelDialog
          order={order}
          purchase={purchase}
          asking={canceling === 'requestCancel'}
          onClose={() => setCanceling(undefined)}
          onDone={(said) => {
            setCanceling(undefined)
            void done(said)
          }}
        />
      )}
    </div>
  )
}

const OTHER = 'OTHER'

type CancelProps = Pick<ActionsProps, 'order' | 'purchase'> & {
  /** Somebody has to approve it. */
  asking: boolean
  onClose: () => void
  onDone: (said: string) => void
}

function CancelDialog({ order, purchase, asking, onClose, onDone }: CancelProps) {
  const [choice, setChoice] = useState<string>()
  const [own, setOwn] = useState('')
  const [error, setError] = useState<string>()
  const headers = guestOrderHeaders(order._id)
  // Canceling the only purchase is canceling the order.
  const whole = !purchase || order.purchases.length === 1
  const cancel = useMutation({
    meta: { quiet: true },
    mutationFn: (reason: string) =>
      whole
        ? call('POST', `${MY_ORDER}/cancel`, {
            path: { id: order._id },
            headers,
            body: { reason },
          })
        : call('POST', '/api/v1/me/purchases/cancel', {
            headers,
            body: { _purchases: [purchase.purchaseNo], reason },
          }),
    onSuccess: () =>
      onDone(
        asking
          ? '취소를 신청했습니다. 판매자가 확인하면 알려 드립니다.'
          : '취소했습니다. 환불이 끝나면 ‘취소완료’로 바뀝니다.',
      ),
    onError: (thrown) => setError(toApiError(thrown).told),
  })
  const submit = () => {
    const reason = choice === OTHER ? own.trim() : choice
    if (!reason) return setError(choice === OTHER ? '사유를 입력해 주세요.' : '취소 사유를 선택해 주세요.')
    if (reason.length < 2) return setError('사유를 두 글자 이상 입력해 주세요.')
    setError(undefined)
    cancel.mutate(reason)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={asking ? '취소 신청' : '주문 취소'}
      text={
        asking
          ? '상품을 준비하고 있어 판매자의 확인이 필요합니다.'
          : purchase && !whole
            ? `${purchase.name}만 취소합니다.`
            : '취소하면 되돌릴 수 없습니다.'
      }
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {ko.action.close}
          </Button>
          <Button variant="danger" busy={cancel.isPending} onClick={submit}>
            {asking ? '신청하기' : '취소하기'}
          </Button>
        </>
      }
    >
      <RadioGroup
        legend="취소 사유"
        options={[...reasons.map((text) => ({ value: text, label: text })), { value: OTHER, label: '직접 입력' }]}
        value={choice}
        onValue={setChoice}
        className="[&>div]:flex-col"
      />
      {choice === OTHER && (
        <Field label="사유" hideLabel className="mt-3">
          <Textarea rows={3} maxLength={1000} value={own} onChange={(event) => setOwn(event.target.value)} />
        </Field>
      )}
      <p className="mt-4 text-ink-3 text-sm">
        결제한 금액은 결제수단으로, 쓴 쿠폰과 적립금은 쿠폰함과 적립금으로 돌아갑니다. 카드 환불은 3~5영업일 걸립니다.
      </p>
      {error && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {error}
        </p>
      )}
    </Dialog>
  )
}
