// The bell of the console's header, loaded after the page: notifications of sellers and staff.
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { useUnreadCount } from '../../features/notifications/unread'
import { ko } from '../../i18n/ko'
import { IconButton } from '../../ui/Button'
import { CountBadge, shownCount } from '../../ui/CountBadge'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import LiveNotices from '../layouts/LiveNotices'

const NotificationDrawer = optional(() => import('../layouts/NotificationDrawer'), {
  onFail: ({ onClose }: { onClose: () => void }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
})

export default function ConsoleNotices() {
  const [open, setOpen] = useState(false)
  const count = useUnreadCount()
  const t = ko.chrome
  return (
    <>
      <span className="relative inline-flex">
        <IconButton
          label={count > 0 ? `${t.notices} ${t.unread(shownCount(count))}` : t.notices}
          onClick={() => setOpen(true)}
        >
          <Bell aria-hidden />
        </IconButton>
        {/* Beside the button: the name of a button has to contain all text in it. */}
        <CountBadge count={count} className="pointer-events-none top-0 right-0" />
      </span>
      <LiveNotices />
      {open && <NotificationDrawer onClose={() => setOpen(false)} />}
    </>
  )
}
