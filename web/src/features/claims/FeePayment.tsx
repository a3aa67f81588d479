// Pays what an exchange costs through the payment service; without a difference a bank transfer stays possible.
import { useMutation } from '@tanstack/react-query'
import { toApiError } from '../../api/errors'
import type { Claim } from '../../api/types'
import { Button } from '../../ui/Button'
import { Money } from '../../ui/Money'
import { payOrder } from '../payment/api'
import { exchangeCostName } from './words'

type FeePaymentProps = { orderId: string; claim: Pick<Claim, '_id' | 'exchange'>; className?: string }

export function FeePayment({ orderId, claim, className }: FeePaymentProps) {
  const pay = useMutation({
    mutationFn: () => payOrder(orderId, undefined, claim._id),
    meta: { suppressToast: true },
  })
  const asked = claim.exchange?.pay
  if (!claim.exchange || asked?.status !== 'PAY_AWAITING') return null
  return (
    <div className={className}>
      <Button variant="accent" className="w-full sm:w-auto" busy={pay.isPending} onClick={() => pay.mutate()}>
        {exchangeCostName(claim.exchange)} <Money amount={asked.amount} /> 결제
      </Button>
      {pay.error && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {toApiError(pay.error).told}
        </p>
      )}
    </div>
  )
}
