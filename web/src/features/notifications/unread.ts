// How many notifications a member has not read: the header shows it on every page.
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'

export const INFO = '/api/v1/me/info'

export function useUnreadCount(): number {
  const loggedIn = useLoggedIn()
  const { data } = useApiQuery(INFO, {}, { enabled: loggedIn, retry: false })
  return data?.user.notiCount ?? 0
}
