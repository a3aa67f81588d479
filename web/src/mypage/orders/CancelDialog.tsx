// Canceling an order or one purchase of it: why, and what that gives back. What is confirmed is what was shown, or nothing happens.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { Refund, sumsOf } from '../../features/refunds/Refund'
import reasons from '../../i18n/cancel-reasons.json'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { RadioGroup } from '../../ui/Checkbox'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import type { ActionsProps } from './actions'

const OTHER = 'OTHER'

type CancelProps = Pick<ActionsProps, 'order' | 'purchase'> & {
  /** It needs an approval. */
  asking: boolean
  onClose: () => void
  onDone: (said: string) => void
}

/** The refund of a cancellation, reloaded whenever the dialog opens. */
function useRefund(order: string, purchaseNos: string[] | undefined) {
  const path = '/api/v1/me/orders/{id}/cancel/preview'
  return useQuery({
    // A POST by method and a reading by nature.
    queryKey: ['post', path, order, purchaseNos],
    queryFn: ({ signal }) =>
      call('POST', path, {
        path: { id: order },
        headers: guestOrderHeaders(order),
        body: { _purchases: purchaseNos },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export function CancelDialog({ order, purchase, asking, onClose, onDone }: CancelProps) {
  const [choice, setChoice] = useState<string>()
  const [own, setOwn] = useState('')
  const [error, setError] = useState<string>()
  const headers = guestOrderHeaders(order._id)
  // Canceling the only purchase is canceling the order.
  const whole = !purchase || order.purchases.length === 1
  const refund = useRefund(order._id, whole ? undefined : [purchase.purchaseNo])
  const preview = refund.data?.preview
  const cancel = useMutation({
    meta: { suppressToast: true },
    mutationFn: (reason: string) => {
      const shown = preview && sumsOf(preview)
      return whole
        ? call('POST', '/api/v1/me/orders/{id}/cancel', {
            path: { id: order._id },
            headers,
            body: { reason, shown },
          })
        : call('POST', '/api/v1/me/purchases/cancel', {
            headers,
            body: { _purchases: [purchase.purchaseNo], reason, shown },
          })
    },
    onSuccess: () =>
      onDone(
        asking
          ? '취소를 신청했습니다. 확인하는 대로 결과를 알려 드립니다.'
          : '취소했습니다. 환불이 끝나면 ‘취소완료’로 바뀝니다.',
      ),
    onError: (thrown) => {
      const refusal = toApiError(thrown)
      if (refusal.code === 'refund_changed') void refund.refetch()
      setError(refusal.told)
    },
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
      description={
        asking
          ? '상품을 준비하고 있어 바로 취소할 수 없습니다. 신청이 승인되면 아래와 같이 돌려드립니다.'
          : purchase && !whole
            ? `${purchase.name}만 취소합니다.`
            : '취소하면 되돌릴 수 없습니다.'
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {ko.action.close}
          </Button>
          <Button variant="danger" busy={cancel.isPending} disabled={!preview || refund.isFetching} onClick={submit}>
            {asking ? '신청하기' : '취소하기'}
          </Button>
        </>
      }
    >
      {preview ? (
        <Refund preview={preview} className="mb-5" />
      ) : refund.error ? (
        <ErrorState error={toApiError(refund.error)} onRetry={() => void refund.refetch()} className="py-6" />
      ) : (
        <Loading className="mb-5">
          <Skeleton className="h-40" />
        </Loading>
      )}
      <RadioGroup
        legend="취소 사유"
        options={[...reasons.map((text) => ({ value: text, label: text })), { value: OTHER, label: '직접 입력' }]}
        value={choice}
        onValueChange={setChoice}
        className="[&>div]:flex-col"
      />
      {choice === OTHER && (
        <Field label="사유" hideLabel className="mt-3">
          <Textarea rows={3} maxLength={1000} value={own} onChange={(event) => setOwn(event.target.value)} />
        </Field>
      )}
      {error && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {error}
        </p>
      )}
    </Dialog>
  )
}
