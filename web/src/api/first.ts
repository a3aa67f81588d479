// What the server has answered inside the page, so that the first picture waits for no call. It answered as it does anybody: a member
// has other answers, and who has just changed something wants newer ones. What hangs in the shop's window is the same for everybody, and
// staff's to change.
import { positionToWaitFor } from './position'
import { useSession } from './session'

/** How long after the page came they still count. */
const MINUTE_MS = 60_000

let answers: Record<string, unknown> | undefined

function inPage(): Record<string, unknown> {
  const text = document.getElementById('__DATA__')?.textContent
  return text ? JSON.parse(text) : {}
}

/** The page was kept from an earlier visit; what it says may be old. */
const isOld = (): boolean => {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  return (entry as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}

/** Answered without looking who asks. */
const WINDOW = /^\/api\/v1\/(bandBanners|banners\/|bannerAdvertisements|setting$|shop\/categories$)/

function mayDiffer(path: string): boolean {
  const { refreshToken, payload } = useSession.getState()
  return WINDOW.test(path)
    ? (payload?.scope.length ?? 0) > 0
    : refreshToken !== undefined || positionToWaitFor() !== undefined
}

/** The page's own answer to a GET of this address; undefined: ask the server. */
export function firstAnswer(address: URL): unknown {
  if (performance.now() > MINUTE_MS || mayDiffer(address.pathname)) return undefined
  answers ??= isOld() ? {} : inPage()
  address.searchParams.sort()
  return answers[address.pathname + address.search]
}
