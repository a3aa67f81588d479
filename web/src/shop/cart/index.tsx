// A member's cart.
import { CartPage } from './CartPage'
import { useMemberCart } from './useCart'

export function Component() {
  return <CartPage cart={useMemberCart()} basketOf={(chosen) => ({ carts: chosen.map((item) => item.key) })} />
}
