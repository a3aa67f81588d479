// What the server has answered inside the page, so that the first picture waits for no call. It answered as it does a guest, and says
// with each answer who else would be told the same: a member has other answers, and who has just changed something wants newer ones.
// What hangs in the shop's window is the same for everybody, and staff's to change.
import { positionToWaitFor } from './consistencyToken'
import { useSession } from './session'

/** How long after the page came they still count. */
const MINUTE_MS = 60_000

/** By whom the answer is for, then by the address. */
type Answers = Record<'everybody' | 'guests', Record<string, unknown>>
const NONE: Answers = { everybody: {}, guests: {} }

let answers: Answers | undefined

function inPage(): Answers {
  const text = document.getElementById('__DATA__')?.textContent
  return text ? JSON.parse(text) : NONE
}

/** The page was kept from an earlier visit; what it says may be old. */
const isOld = (): boolean => {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  return (entry as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}

/** The setting as the page was made with it. Staff, who may have changed it since, read it anew; until then it is the best there is. */
export function initialSetting(): unknown {
  answers ??= isOld() ? NONE : inPage()
  return answers.everybody['/api/v1/setting']
}

/** The page's own answer to a GET of this address; undefined: ask the server. */
export function initialDataFor(address: URL): unknown {
  if (performance.now() > MINUTE_MS) return undefined
  answers ??= isOld() ? NONE : inPage()
  address.searchParams.sort()
  const asked = address.pathname + address.search
  const { refreshToken, payload } = useSession.getState()
  const isStaff = (payload?.scope.length ?? 0) > 0
  if (asked in answers.everybody) return isStaff ? undefined : answers.everybody[asked]
  return refreshToken === undefined && positionToWaitFor() === undefined ? answers.guests[asked] : undefined
}
