// Access checks of pages: whether a visitor is denied, and where to redirect then. Pure functions.
import { accessDeniedMessage } from '../api/accessDenied'
import type { Payload } from '../api/session'
import { ko } from '../i18n/ko'
import { loginPath } from '../lib/loginRedirect'
import type { AppRoute } from './routes/route'

/** A guest, or the holder of a token. */
export type Visitor = {
  payload: Payload | undefined
  /** The address names an order that this browser found as a guest's. */
  isGuestOrder?: boolean
}

export type Refusal = { message: string; needsLogin: boolean }

type AccessRule = Pick<AppRoute, 'path' | 'login' | 'guestOrder' | 'scope' | 'userTypes'>

/** Why access to the page is denied; undefined when it is allowed (spec V152-V154). */
export function accessDenial(route: AccessRule, { payload, isGuestOrder }: Visitor): Refusal | undefined {
  if (route.login && !payload && !(route.guestOrder && isGuestOrder))
    return { message: `${ko.session.loginRequired}. ${ko.session.loginRequiredMenu}`, needsLogin: true }
  const denied = (missing: string) => ({ message: accessDeniedMessage(missing), needsLogin: false })
  if (route.scope && !route.scope.some((scope) => payload?.scope.includes(scope)))
    return denied(ko.session.missingScope(route.scope))
  if (route.userTypes && !(payload && route.userTypes.includes(payload.userType)))
    return denied(ko.session.missingType(route.userTypes))
  return undefined
}

/** The redirect after a denial: login, the console's root, else back or home (spec V225-V227). */
export function redirectFor(refused: Refusal, wanted: string, previous: string | undefined): string {
  if (refused.needsLogin) return loginPath(wanted)
  if (wanted.startsWith('/console')) return '/console'
  return previous !== undefined && previous !== wanted ? previous : '/'
}
