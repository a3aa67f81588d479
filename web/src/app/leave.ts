// Logging out: asked first, then everything kept here is forgotten (spec V124-V126).
import { useNavigate } from 'react-router'
import { logOut } from '../api/login'
import { ko } from '../i18n/ko'
import { ask } from '../ui/ask'
import { toast } from '../ui/toast'

export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const yes = await ask({ title: ko.session.logoutQuestion, yes: ko.action.logout })
    if (!yes) return
    // Home first, so that no guard of the page left behind sees the missing token.
    await navigate('/')
    logOut()
    void toast(ko.session.loggedOut)
  }
}
