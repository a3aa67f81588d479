// The like button of a product. Guests are asked to log in; on a phone the login page opens (spec V086, V120, V157, V158).
import { useLocation, useNavigate } from 'react-router'
import { useLoggedIn } from '../../api/session'
import { ko } from '../../i18n/ko'
import { loginPath } from '../../lib/loginRedirect'
import { isMobile } from '../../lib/media'
import { HeartButton } from '../../ui/HeartButton'
import { toast } from '../../ui/toast'
import { type Likeable, useLike } from './api'

type LikeButtonProps = {
  product: Likeable & { name: string }
  look?: 'picture' | 'box'
  size?: 'sm' | 'md'
  className?: string
}

export function LikeButton({ product, ...look }: LikeButtonProps) {
  const { liked, toggle } = useLike(product)
  const loggedIn = useLoggedIn()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <HeartButton
      {...look}
      on={liked}
      label={liked ? `${product.name} 찜 해제` : `${product.name} 찜하기`}
      onToggle={() => {
        if (loggedIn) return toggle()
        const here = loginPath(pathname + search)
        void toast('로그인 후 사용하실 수 있습니다', {
          tone: 'error',
          action: { label: ko.action.login, onClick: () => void navigate(here) },
        })
        if (isMobile()) void navigate(here)
      }}
    />
  )
}
