// Logging out with a confirmation; clears everything stored in this browser (spec V124-V126).
import { useNavigate } from 'react-router'
import { ko } from '../../i18n/ko'
import { confirmDialog } from '../../ui/confirm'
import { loggingOut } from './logoutOnArrival'

export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const yes = await confirmDialog({
      title: ko.session.logoutQuestion,
      text: ko.session.logoutText,
      yes: ko.action.logout,
    })
    // Navigates home first, so that no guard of the page left behind sees the missing token. A page with unsaved input asks first:
    // users who stay remain logged in.
    if (yes) await navigate('/', { state: loggingOut({ message: ko.session.loggedOut }) })
  }
}
