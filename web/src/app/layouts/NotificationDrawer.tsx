// Notifications in a drawer from the right: by kind, marked read when opened, with settings for each kind. Closing it also closes the
// settings (spec V036, V079, V080, V118, V119, V253, V254).
import { Bell, ChevronLeft, Settings, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session'
import { type Alarm, useAlarmActions, useAlarms, useNotiSetting } from '../../features/notifications/api'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { innerPath, isExternal } from '../../lib/links'
import { IconButton } from '../../ui/Button'
import { RelativeTime } from '../../ui/DateText'
import { Sheet } from '../../ui/Dialog'
import { once } from '../../ui/ignoreDoubleClick'
import { Switch } from '../../ui/Switch'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'

/** The kinds of notifications on the server that every member gets. */
const KINDS = [
  { value: 'ORDER', label: '주문' },
  { value: 'DELIVERY', label: '배송' },
  { value: 'COUPON', label: '쿠폰' },
  { value: 'POINTS', label: '적립금' },
  { value: 'INQUIRY', label: '문의·후기' },
  { value: 'NOTICE', label: '공지' },
  { value: 'ADVERTISING', label: '이벤트·혜택' },
] as const
const SALES = { value: 'SALES', label: '판매' } as const

/** Sellers and staff get those of their sales, too. */
function useKinds() {
  const sells = useSession((s) => (s.payload?.scope.length ?? 0) > 0)
  return sells ? [...KINDS, SALES] : KINDS
}

export default function NotificationDrawer({ onClose }: { onClose: () => void }) {
  const [setting, setSetting] = useState(false)
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={setting ? '알림 설정' : ko.chrome.notices}
      headerActions={
        <IconButton
          label={setting ? '알림으로 돌아가기' : '알림 설정'}
          aria-pressed={setting}
          onClick={() => setSetting(!setting)}
        >
          {setting ? <ChevronLeft aria-hidden /> : <Settings aria-hidden />}
        </IconButton>
      }
    >
      {setting ? <NoticeSettings /> : <Notices onClose={onClose} />}
    </Sheet>
  )
}

function Notices({ onClose }: { onClose: () => void }) {
  const kinds = useKinds()
  const [kind, setKind] = useState<Alarm['category'] | ''>('')
  const { data, error, refetch } = useAlarms(kind || undefined)
  const { read, remove } = useAlarmActions()
  const navigate = useNavigate()
  /** Where the focus goes when a row is gone. */
  const list = useRef<HTMLUListElement>(null)
  const drop = (alarm: Alarm) => {
    list.current?.focus()
    remove(alarm)
  }
  const open = (alarm: Alarm) => {
    if (alarm.shows) read(alarm)
    if (!alarm.url) return
    onClose()
    if (isExternal(alarm.url)) window.open(alarm.url, '_blank', 'noreferrer')
    else void navigate(innerPath(alarm.url))
  }
  return (
    <>
      <div
        role="radiogroup"
        aria-label="알림 종류"
        className="-mx-6 flex snap-x scroll-px-6 gap-2 overflow-x-auto px-6 pb-4 [scrollbar-width:none]"
      >
        {[{ value: '' as const, label: '전체' }, ...kinds].map(({ value, label }) => (
          <label
            key={value}
            className="flex h-9 shrink-0 basis-[calc((100%-1rem)/3)] cursor-pointer snap-start items-center justify-center rounded-full border border-line text-ink-2 text-sm has-checked:border-ink has-checked:bg-ink has-checked:font-semibold has-checked:text-on-ink has-focus-visible:outline-2 md:basis-[calc((100%-1.5rem)/4)]"
          >
            <input
              type="radio"
              name="notice-kind"
              checked={kind === value}
              onChange={() => setKind(value)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="grid gap-3">
          <Skeleton className="h-20 rounded-md" />
          <Skeleton className="h-20 rounded-md" />
          <Skeleton className="h-20 rounded-md" />
        </Loading>
      ) : data.alarms.length === 0 ? (
        <EmptyState icon={<Bell />} title="새로운 알림이 없습니다" text="주문과 혜택 소식을 이곳에서 알려 드립니다." />
      ) : (
        <ul ref={list} tabIndex={-1} className="-mx-2 divide-y divide-line">
          {data.alarms.map((alarm) => (
            <li key={alarm._id} className="flex items-start gap-1 px-2 hover:bg-sunken">
              <button type="button" onClick={() => open(alarm)} className="min-w-0 flex-1 py-4 text-left">
                <span className="flex items-center gap-2">
                  {alarm.shows && <span className="size-2 shrink-0 rounded-full bg-accent" />}
                  <span className={cn('truncate', alarm.shows ? 'font-bold' : 'text-ink-2')}>
                    {alarm.shows && <span className="sr-only">읽지 않음 </span>}
                    {alarm.title || alarm.name}
                  </span>
                </span>
                {alarm.content && <span className="mt-0.5 line-clamp-2 block text-ink-2 text-sm">{alarm.content}</span>}
                <span className="mt-1 block text-ink-3 text-xs">
                  <RelativeTime value={alarm.createdAt} />
                </span>
              </button>
              <IconButton label="알림 삭제" size="sm" className="mt-3.5" onClick={once(() => drop(alarm))}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function NoticeSettings() {
  const { setting, save, saving } = useNotiSetting()
  const kinds = useKinds()
  const { isShow, disabledCategories } = setting
  return (
    <div className="grid gap-5">
      <Switch
        label="알림 받기"
        text="끄면 새 알림을 받지 않고, 알림 수도 표시하지 않습니다."
        on={isShow}
        disabled={saving}
        onToggle={(on) => save({ ...setting, isShow: on })}
        className="rounded-lg bg-sunken p-4"
      />
      <fieldset disabled={!isShow} className="grid gap-5">
        <legend className="mb-3 text-ink-3 text-sm">받을 알림 종류</legend>
        {kinds.map(({ value, label }) => (
          <Switch
            key={value}
            label={label}
            on={isShow && !disabledCategories.includes(value)}
            disabled={saving || !isShow}
            onToggle={(on) =>
              save({
                ...setting,
                disabledCategories: on
                  ? disabledCategories.filter((one) => one !== value)
                  : [...disabledCategories, value],
              })
            }
          />
        ))}
      </fieldset>
    </div>
  )
}
