// The member's cart in the member area (/mypage/cart).
import { ko } from '../../i18n/ko'
import { MyPage } from '../../mypage/MyPage'
import { MemberCart } from '../../shop/cart/MemberCart'

export const Component = () => (
  <MyPage title={ko.chrome.cart} className="max-md:pb-32">
    <MemberCart room="beside" />
  </MyPage>
)
