// The app's pages by role: who may see which, and an address with content for every row of routes.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shopUrl } from './browser.mjs'
import { PASSWORD } from './steps.mjs'

/** Every row of the app's route table. */
export const routes = JSON.parse(readFileSync(join(import.meta.dirname, '../routes.json'), 'utf8'))

/** The four kinds of visitors: their account and their rights. */
export const ROLES = {
  guest: { scopes: [] },
  member: { username: 'shopper01', scopes: [] },
  seller: { username: 'hangang', scopes: ['company'] },
  operator: { username: 'operator', scopes: ['console'] },
}

/** Whether this role may see the page. */
export const maySee = ({ username, scopes }, { guard }) =>
  (!guard.login || username !== undefined) &&
  (guard.scope.length === 0 || guard.scope.some((scope) => scopes.includes(scope)))

/** The server's response, with a bearer token if given. */
export async function read(path, token) {
  const answer = await fetch(shopUrl + path, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

/** Signs in without a page. */
export async function tokenOf(username) {
  const basic = Buffer.from(`${username}:${PASSWORD}`).toString('base64')
  const answer = await fetch(`${shopUrl}/api/auth/refreshToken`, { headers: { Authorization: `Basic ${basic}` } })
  return (await answer.json()).accessToken
}

/** Values of `:code`, by page. */
const CODES = {
  '/shop/brands/:code': 'baram',
  '/terms/:code': 'service',
  '/console/user-level/:code': 'gold',
  '/console/main/display/:code': 'POPULAR',
  '/console/main/banner/:code': 'MAIN_1',
  '/console/main/review/:code': 'MAIN',
}

/** The first item a call lists; undefined if it is empty or the call does not exist. */
const firstOf = async (path, many, token) => (await read(path, token).catch(() => ({})))[many]?.[0]

/** The claim on the first purchase of an order in a list of claims. */
const claimQuery = ({ _id, purchases: [first] }) => `?order=${_id}&claim=${first?.claim?._id}`

/** Placeholder for a path parameter that this role has no value for. */
const NOTHING = 'none'

/**
 * Turns route paths into addresses for a role: the ids it may see, and the queries pages need to have content.
 * `isWhole` returns whether all of them were found.
 */
export async function addressesOf({ username, scopes }) {
  const token = username && (await tokenOf(username))
  const isStaff = scopes.length > 0
  const mine = (path, many) => (token ? firstOf(path, many, token) : undefined)
  const staffs = (path, many) => (isStaff ? firstOf(path, many, token) : undefined)
  const order = (await mine('/api/v1/me/orders?limit=1', 'orders'))?._id
  const canceled = await mine('/api/v1/me/orders?filter=cancel&limit=1', 'orders')
  const exchanged = await mine('/api/v1/me/orders?filter=exchange&limit=1', 'orders')
  const returned = await mine('/api/v1/me/orders?filter=return&limit=1', 'orders')
  // an old one: other tests create, hide and delete the newest meanwhile
  const products = isStaff ? 'console/shop/products?shows=true&sort=createdAt&' : 'v1/shop/products?'
  const banner = (await staffs('/api/console/banners?limit=1', 'banners'))?._id
  const ids = {
    productId: (await firstOf(`/api/${products}limit=1`, 'products', token))?._id,
    code: (await firstOf('/api/v1/shop/showrooms?limit=1', 'showrooms'))?.code,
    eventId: (await firstOf('/api/v1/shop/events?filter=ONGOING&limit=1', 'events'))?._id,
    exhibitionId: (await firstOf('/api/v1/shop/exhibitions?limit=1', 'exhibitions'))?._id,
    orderId: (await staffs('/api/console/shop/purchases?tab=delivery&limit=1', 'purchases'))?._order,
    bannerId: banner,
    subject: 'record',
    id: banner,
    reviewId: (await mine('/api/v1/me/reviews?limit=1', 'reviews'))?._id,
    notificationId: (await firstOf('/api/v1/center/notifications?limit=1', 'notifications'))?._id,
    questionId: (await mine('/api/v1/center/questions?limit=1', 'questions'))?._id,
    inquiryId: (await mine('/api/v1/me/inquires?limit=1', 'inquires'))?._id,
    formCode: 'inquiry-partner',
    sentId: (await mine('/api/v1/me/inquiries?limit=1', 'inquiries'))?._id,
    tab: 'used',
    // The pages of mailed links are the same for every member, and need the token that only the mail has.
    userId: '01a21a72-f454-743f-a18f-175b7b234662',
  }
  const queries = {
    '/mypage/orders-detail': order && `?order=${order}`,
    '/mypage/orders/cancel-application': order && `?order=${order}`,
    '/mypage/orders/return-application': order && `?order=${order}`,
    '/mypage/orders/exchange-application': order && `?order=${order}`,
    '/mypage/orders/exchange-detail': exchanged && claimQuery(exchanged),
    '/mypage/orders/cancel-detail': canceled && claimQuery(canceled),
    '/mypage/orders/return-detail': returned && claimQuery(returned),
    '/shop/result': order && `?order=${order}`,
    '/search': '?searchValue=자전거',
  }
  const addressOf = (path) =>
    path.replaceAll(/:(\w+)/g, (_, name) => (name === 'code' && CODES[path]) || (ids[name] ?? NOTHING)) +
    (queries[path] ?? '')
  const isWhole = (path) => !addressOf(path).split('/').includes(NOTHING)
  return { addressOf, isWhole }
}
