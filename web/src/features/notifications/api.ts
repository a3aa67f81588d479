// A member's notifications (spec V094, V118, V119) and their settings (V207). The wire calls them alarms.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, paged } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useLoggedIn } from '../../api/session'
import { INFO } from './unread'

export const ALARMS = '/api/v1/me/alarms'
const MOST = 50

export type Alarm = components['schemas']['Alarms']['alarms'][number]

/** Notification settings: `isShow` switches all of them, the others single kinds. */
export type NotiSetting = components['schemas']['AlarmSettings']

export function useAlarms(category?: Alarm['category'], enabled = true) {
  const loggedIn = useLoggedIn()
  return useApiQuery(
    ALARMS,
    { query: { category }, headers: paged(1, MOST) },
    { enabled: loggedIn && enabled, retry: false },
  )
}

export function useAlarmActions() {
  const queryClient = useQueryClient()
  const again = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: apiQueryKey(ALARMS).slice(0, 2) }),
      queryClient.invalidateQueries({ queryKey: apiQueryKey(INFO).slice(0, 2) }),
    ])
  const read = useMutation({
    mutationFn: (alarm: Alarm) => call('PUT', `${ALARMS}/{id}`, { path: { id: alarm._id }, body: { shows: false } }),
    onSettled: again,
  })
  const remove = useMutation({
    mutationFn: (alarm: Alarm) => call('DELETE', `${ALARMS}/{id}`, { path: { id: alarm._id } }),
    onSettled: again,
  })
  return { read: read.mutate, remove: remove.mutate }
}

/** The setting and its mutation; after a change the member's data is read again (spec V207). */
export function useNotiSetting() {
  const loggedIn = useLoggedIn()
  const queryClient = useQueryClient()
  const { data } = useApiQuery(INFO, {}, { enabled: loggedIn, retry: false })
  const save = useMutation({
    mutationFn: (noti: NotiSetting) => call('PUT', '/api/v1/me', { body: { noti } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiQueryKey(INFO).slice(0, 2) }),
  })
  const stored = data?.user.noti
  const setting: NotiSetting = {
    isShow: stored?.isShow ?? true,
    disabledCategories: stored?.disabledCategories ?? [],
  }
  return { setting: save.isPending ? save.variables : setting, save: save.mutate, saving: save.isPending }
}
