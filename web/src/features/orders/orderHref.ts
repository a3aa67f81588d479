// Where an order is read: a member's own page, or the look-up of guests.
import { useLoggedIn } from '../../api/session'

export function useOrderHref(order: string): string {
  const page = useLoggedIn() ? '/mypage/orders-detail' : '/shop/lookup'
  return `${page}?order=${order}`
}
