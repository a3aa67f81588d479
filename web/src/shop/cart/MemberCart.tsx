// The member's cart. Guest lines that the server has not accepted yet are mentioned, and kept for the next try (spec V090).
import { useSession } from '../../api/session'
import { CartContents } from './CartPage'
import { useMemberCart } from './useCart'

export function MemberCart({ room }: { room?: 'beside' }) {
  const waiting = useSession((s) => s.carts.length)
  return (
    <CartContents
      cart={useMemberCart()}
      basketOf={(chosen) => ({ carts: chosen.map((item) => item.key) })}
      room={room}
      note={
        waiting > 0 && (
          <p role="status" className="mt-3 text-ink-2 text-sm">
            로그인 전에 담은 상품 {waiting}개를 옮기고 있습니다. 옮기지 못하면 장바구니를 다시 열 때 이어서 옮깁니다.
          </p>
        )
      }
    />
  )
}
