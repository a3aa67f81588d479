// The band above the header; once closed, it stays closed until the browser exits, in other tabs and after a logout, too (spec V078, V211).
// Its errors are ignored (V218).
import { X } from 'lucide-react'
import { useState } from 'react'
import { type BandBanner as Band, useBandBanners } from '../../features/content/bandBanners'
import { ko } from '../../i18n/ko'
import { cookie, setCookie } from '../../lib/cookies'
import { innerPath, isExternal } from '../../lib/links'
import { Link } from '../../ui/Link'

const COOKIE = 'bands-hidden'

export function BandBanner() {
  const { data } = useBandBanners()
  const [hidden, setHidden] = useState(() => cookie(COOKIE)?.split(',') ?? [])
  const bands = data?.bandBanners ?? []
  const band = bands.find(({ _id }) => !hidden.includes(_id))
  if (!band) return null
  const hide = () => {
    // Hides all current bands, so that no other takes its place. One that staff add later is shown.
    const all = bands.map(({ _id }) => _id)
    setCookie(COOKIE, all.join(','))
    setHidden(all)
  }
  return (
    <aside
      aria-label={band.name}
      className="relative bg-picture-ink py-2.5 pr-11 pl-5 text-center font-medium text-picture-paper text-[0.8125rem] md:px-12 md:text-sm"
      style={band.color ? { background: band.color } : undefined}
    >
      <Words band={band} />
      <button
        type="button"
        aria-label={ko.chrome.hideBand}
        onClick={hide}
        className="absolute inset-y-0 right-1 flex w-11 items-center justify-center opacity-80 hover:opacity-100 focus-visible:outline-picture-paper focus-visible:-outline-offset-4"
      >
        <X aria-hidden className="size-4.5" />
      </button>
    </aside>
  )
}

function Words({ band }: { band: Band }) {
  const { content, url } = band
  const look = 'tap rounded-xs underline-offset-4 hover:underline focus-visible:outline-picture-paper'
  if (!url) return <span>{content}</span>
  return isExternal(url) ? (
    <a href={url} target="_blank" rel="noreferrer" className={look}>
      {content}
    </a>
  ) : (
    <Link to={innerPath(url)} className={look}>
      {content}
    </Link>
  )
}
