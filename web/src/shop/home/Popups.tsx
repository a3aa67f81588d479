// Popups over the home page. "Do not open today" hides a popup for a day (spec V022, V076, V122, V123).
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toApiError } from '../../api/errors'
import { notifyUser } from '../../api/notify'
import { logBanner, type Popup, usePopups } from '../../features/content/api'
import { ko } from '../../i18n/ko'
import { cookie, setCookie } from '../../lib/cookies'
import { innerPath, isExternal } from '../../lib/links'
import { useMobile } from '../../lib/media'
import { Checkbox } from '../../ui/Checkbox'
import { Link } from '../../ui/Link'

const DAY_SECONDS = 86_400
const cookieOf = ({ _id }: Popup): string => `popup-${_id}`
const WIDTH = 360
const HEADER = '12rem'

export default function Popups() {
  const { data, error } = usePopups()
  const [closed, setClosed] = useState<readonly string[]>([])
  useEffect(() => {
    // No popups is not an error (spec V228 is about a failed request).
    if (error && toApiError(error).status !== 404) notifyUser(toApiError(error).message)
  }, [error])
  const open = (data?.popups ?? []).filter((one) => !closed.includes(one._id) && !cookie(cookieOf(one)))
  return open.map((popup, i) => (
    <Window key={popup._id} popup={popup} at={i} onClose={() => setClosed([...closed, popup._id])} />
  ))
}

function Window({ popup, at, onClose }: { popup: Popup; at: number; onClose: () => void }) {
  const [today, setToday] = useState(false)
  const mobile = useMobile()
  const close = () => {
    if (today) setCookie(cookieOf(popup), '1', DAY_SECONDS)
    onClose()
  }
  const name = popup.name || '안내'
  const place = mobile
    ? undefined
    : {
        left: `min(${popup.left ?? 40 + at * 32}px, calc(100vw - ${popup.width ?? WIDTH}px - 1rem))`,
        // Never over the header, so that navigation stays possible.
        top: `max(${HEADER}, ${popup.top ?? 120 + at * 32}px)`,
        width: `${popup.width ?? WIDTH}px`,
      }
  return (
    <section
      aria-label={name}
      style={place}
      className="fixed z-21 animate-rise overflow-hidden rounded-lg border border-line bg-raised shadow-pop max-md:inset-x-4 max-md:bottom-[calc(4.75rem+env(safe-area-inset-bottom))]"
    >
      <div
        className="relative max-h-[60dvh] overflow-y-auto"
        style={!mobile && popup.height ? { height: `${popup.height}px` } : undefined}
      >
        {popup.image?.url && (
          // Multiplied, a white background takes the tile's colour, also in the dark theme.
          <div className="bg-picture">
            <img
              src={popup.image.url}
              alt={popup.image.alt ?? ''}
              className="aspect-[2.4] w-full object-contain mix-blend-multiply md:aspect-[1.3]"
            />
          </div>
        )}
        {popup.content && (
          <div
            className="prose-shop px-5 py-3 text-base"
            // Sanitised by the server.
            dangerouslySetInnerHTML={{ __html: popup.content }}
          />
        )}
        {popup.url && <PopupLink popup={popup} name={name} />}
      </div>
      <div className="flex items-center justify-between gap-3 border-line border-t px-4 py-2.5">
        <Checkbox
          label={<span className="text-sm">오늘 하루 보지 않기</span>}
          checked={today}
          onChange={(event) => setToday(event.target.checked)}
        />
        <button
          type="button"
          onClick={close}
          className="flex h-9 items-center gap-1 rounded-sm px-2 font-semibold text-sm hover:bg-sunken"
        >
          <X aria-hidden className="size-4" />
          {ko.action.close}
          <span className="sr-only"> {name}</span>
        </button>
      </div>
    </section>
  )
}

function PopupLink({ popup, name }: { popup: Popup; name: string }) {
  const url = popup.url ?? ''
  const shared = {
    'aria-label': `${name} 자세히 보기`,
    onClick: () => void logBanner({ _popup: popup._id }),
    className: 'absolute inset-0 focus-visible:-outline-offset-4',
  }
  return isExternal(url) ? (
    <a href={url} target="_blank" rel="noreferrer" {...shared} />
  ) : (
    <Link to={innerPath(url)} {...shared} />
  )
}
