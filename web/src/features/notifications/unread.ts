// The member's info, which the header of every page shows: unread notifications, and lines in the cart.
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'

export const INFO = '/api/v1/me/info'

/** Another window may have changed it meanwhile. */
export const useInfo = () =>
  useApiQuery(INFO, {}, { enabled: useLoggedIn(), retry: false, refetchOnWindowFocus: 'always' })

export const useUnreadCount = (): number => useInfo().data?.user.notiCount ?? 0
