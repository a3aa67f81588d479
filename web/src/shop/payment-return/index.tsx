// The payment service's return addresses, opened directly (reload, history): they redirect to the order's result.
import { Navigate, useSearchParams } from 'react-router'
import { lastOpenedPayment } from '../../features/payment/api'

export function Component() {
  const [params] = useSearchParams()
  const order = params.get('order') ?? lastOpenedPayment()
  const [claim, error] = [params.get('claim'), params.get('error')]
  const to = new URLSearchParams({ ...(order && { order }), ...(claim && { claim }), ...(error && { error }) })
  return <Navigate to={`/shop/result?${to}`} replace />
}
