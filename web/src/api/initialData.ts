// Responses that the server embedded in the page, so that the first render waits for no call. They are a guest's responses, grouped by
// audience: `everybody` (except staff, who may have changed them), or only `guests` without a recent command of their own. Those for
// `always` do not change while the page is open.
import { positionToWaitFor } from './consistencyToken'
import { useSession } from './session'

/** How long after the page load they are used. */
const MINUTE_MS = 60_000

/** By audience, then by address. */
type Answers = Record<'always' | 'everybody' | 'guests', Record<string, unknown>>
const NONE: Answers = { always: {}, everybody: {}, guests: {} }

let answers: Answers | undefined

function inPage(): Answers {
  const text = document.getElementById('__DATA__')?.textContent
  return text ? { ...NONE, ...JSON.parse(text) } : NONE
}

/** Whether the page was restored from the browser's history, so that its data may be old. */
const isOld = (): boolean => {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  return (entry as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}

/** The setting embedded in the page. Also used for staff until their own read returns. */
export function initialSetting(): unknown {
  answers ??= isOld() ? NONE : inPage()
  return answers.everybody['/api/v1/setting']
}

/** The embedded response to a GET of this address; undefined: ask the server. */
export function initialDataFor(address: URL): unknown {
  answers ??= isOld() ? NONE : inPage()
  address.searchParams.sort()
  const requestPath = address.pathname + address.search
  if (requestPath in answers.always) return answers.always[requestPath]
  if (performance.now() > MINUTE_MS) return undefined
  const { refreshToken, payload } = useSession.getState()
  const isStaff = (payload?.scope.length ?? 0) > 0
  if (requestPath in answers.everybody) return isStaff ? undefined : answers.everybody[requestPath]
  return refreshToken === undefined && positionToWaitFor() === undefined ? answers.guests[requestPath] : undefined
}
