// The guest's cart; it moves into the account at login.
import { Navigate } from 'react-router'
import { useLoggedIn } from '../../api/session'
import { guestCart } from '../../features/cart/guestCart'
import { loginPath } from '../../lib/loginRedirect'
import { Link } from '../../ui/Link'
import { CartContents, CartPage } from './CartPage'
import { useGuestCart } from './useCart'

export function Component() {
  const cart = useGuestCart()
  if (useLoggedIn()) return <Navigate to="/cart" replace />
  return (
    <CartPage>
      <CartContents
        cart={cart}
        basketOf={(chosen) => ({ lines: chosen.map((item) => item.wish), guestCart: guestCart() })}
        note={
          <p className="mt-3 text-ink-2 text-sm">
            <Link to={loginPath('/cart')} className="font-semibold text-ink underline underline-offset-4">
              로그인
            </Link>
            하면 쿠폰과 적립금을 사용할 수 있고, 담은 상품은 그대로 옮겨집니다.
          </p>
        }
      />
    </CartPage>
  )
}
