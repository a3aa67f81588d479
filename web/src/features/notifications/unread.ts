// The number of unread notifications, shown in the header of every page.
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'

export const INFO = '/api/v1/me/info'

export function useUnreadCount(): number {
  const loggedIn = useLoggedIn()
  const { data } = useApiQuery(INFO, {}, { enabled: loggedIn, retry: false })
  return data?.user.notiCount ?? 0
}
