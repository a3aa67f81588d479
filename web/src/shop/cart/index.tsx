// The member's cart.
import { CartPage } from './CartPage'
import { MemberCart } from './MemberCart'

export const Component = () => (
  <CartPage>
    <MemberCart />
  </CartPage>
)
