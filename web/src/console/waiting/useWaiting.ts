// Reads what waits. One call for the menu and the dashboard.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { useUnreadCount } from '../../features/notifications/unread'
import { countsOfMenu, WAITING } from './items'

const MINUTE_MS = 60_000
/** It is not read again while it is newer. */
const FRESH_MS = 10_000
const SETTINGS = { staleTime: FRESH_MS, retry: false, meta: { suppressToast: true } }

export const useWaiting = () => useApiQuery(WAITING, {}, SETTINGS)

/** The numbers of the menu; read again every minute, with a notification, and with each page. */
export function useMenuCounts(pathname: string, enabled: boolean): ReadonlyMap<string, number> | undefined {
  const client = useQueryClient()
  const unread = useUnreadCount()
  const { data } = useApiQuery(WAITING, {}, { ...SETTINGS, enabled, refetchInterval: MINUTE_MS })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads with each page and each notification
  useEffect(() => {
    void client.refetchQueries({ queryKey: apiQueryKey(WAITING).slice(0, 2), stale: true, type: 'active' })
  }, [client, pathname, unread])
  return data && countsOfMenu(data)
}
