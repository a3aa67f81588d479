// Keeps the number of unread notifications and the open drawer up to date, and reads new ones out to screen readers.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQueryKey } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useSession } from '../../api/session'
import { ALARMS } from '../../features/notifications/api'
import { followAlarms } from '../../features/notifications/live'
import { INFO } from '../../features/notifications/unread'

type Me = components['schemas']['MeAnswer']

export default function LiveNotices() {
  const member = useSession((s) => s.payload?._user)
  const queryClient = useQueryClient()
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!member) return
    return followAlarms(member, ({ unreadCount, alarms }) => {
      queryClient.setQueriesData<Me>(
        { queryKey: apiQueryKey(INFO).slice(0, 2) },
        (me) => me && { ...me, user: { ...me.user, notiCount: unreadCount } },
      )
      // Only an open list is read again.
      void queryClient.invalidateQueries({ queryKey: apiQueryKey(ALARMS).slice(0, 2) })
      const newest = alarms.at(-1)
      if (newest) setSaid(`새 알림: ${newest.title}`)
    })
  }, [member, queryClient])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
