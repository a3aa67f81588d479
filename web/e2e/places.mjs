// The app's pages as people reach them: who may see which, and an address with something to show for every row of routes.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shopUrl } from './browser.mjs'
import { PASSWORD } from './steps.mjs'

/** Every row of the app's route table. */
export const routes = JSON.parse(readFileSync(join(import.meta.dirname, '../routes.json'), 'utf8'))

/** The four who come by: what they sign in as, and what they are. */
export const ROLES = {
  guest: { scopes: [] },
  member: { username: 'shopper01', scopes: [] },
  seller: { username: 'hangang', scopes: ['company'] },
  operator: { username: 'operator', scopes: ['console'] },
}

/** May this role see the page? */
export const maySee = ({ username, scopes }, { guard }) =>
  (!guard.login || username !== undefined) &&
  (guard.scope.length === 0 || guard.scope.some((scope) => scopes.includes(scope)))

async function read(path, token) {
  const answer = await fetch(shopUrl + path, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

async function tokenOf(username) {
  const basic = Buffer.from(`${username}:${PASSWORD}`).toString('base64')
  const answer = await fetch(`${shopUrl}/api/auth/refreshToken`, { headers: { Authorization: `Basic ${basic}` } })
  return (await answer.json()).accessToken
}

/** What `:code` stands for, by page. */
const CODES = {
  '/shop/brands/:code': 'baram',
  '/terms/:code': 'service',
  '/console/user-level/:code': 'gold',
  '/console/main/display/:code': 'POPULAR',
  '/console/main/banner/:code': 'MAIN_1',
}

const staffOrders = async (token) =>
  (await read('/api/console/shop/purchases?tab=delivery&limit=1', token)).purchases.map((one) => one._order)
const ownOrders = async (token) => (await read('/api/v1/me/orders?limit=1', token)).orders.map((one) => one._id)

/** How a role gets from a row's path to an address: the ids it may see, and the queries pages need to have something to show. */
export async function addressesOf({ username, scopes }) {
  const token = username && (await tokenOf(username))
  const { showrooms } = await read('/api/v1/shop/showrooms?limit=1', token)
  const goods = await read(
    scopes.length > 0 ? '/api/console/shop/products?limit=1' : '/api/v1/shop/products?limit=1',
    token,
  )
  const banners = scopes.includes('console') ? (await read('/api/console/banners?limit=1', token)).banners : []
  const [handled = 'none'] = scopes.length > 0 ? await staffOrders(token) : []
  const [own = 'none'] = token ? await ownOrders(token) : []
  const ids = {
    productId: goods.products[0]._id,
    orderId: handled,
    bannerId: banners[0]?._id ?? 'none',
    tab: 'used',
    code: showrooms[0].code,
  }
  const queries = {
    '/mypage/orders-detail': own === 'none' ? '' : `?order=${own}`,
    '/shop/result': own === 'none' ? '' : `?order=${own}`,
    '/search': '?searchValue=자전거',
  }
  return (path) =>
    path.replaceAll(/:(\w+)/g, (_, name) => (name === 'code' && CODES[path]) || ids[name]) + (queries[path] ?? '')
}
