// A menu entry. One that needs a login shows a guest a message and leads to the login (spec V155, V176-V178).
import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { useLoggedIn } from '../../api/session'
import { ko } from '../../i18n/ko'
import { loginPath } from '../../lib/loginRedirect'
import { NavLink } from '../../ui/Link'
import { toast } from '../../ui/toast'
import { routeOf } from '../routeTable'

export function MenuLink({ to, onClick, ...rest }: Omit<ComponentProps<typeof NavLink>, 'to'> & { to: string }) {
  const navigate = useNavigate()
  const loggedIn = useLoggedIn()
  return (
    <NavLink
      {...rest}
      to={to}
      onClick={(event) => {
        onClick?.(event)
        if (loggedIn || !routeOf(to.split('?')[0] ?? to)?.login) return
        event.preventDefault()
        void toast(ko.session.loginRequiredMenu, { tone: 'error' })
        void navigate(loginPath(to))
      }}
    />
  )
}
