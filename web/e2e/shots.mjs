// `npm run shots [words]`: a picture of every page of routes.json, as everybody who may see it, on a phone, a tablet and a desk, into
// web/shots/. Says what is wrong with any of them and fails then. Words choose: `npm run shots operator 390 /console/shop/orders`.
//   JANGBU_BIN, CHROMIUM_PATH  as for `npm run e2e`
//   SHOTS                      another folder
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop } from './shop.mjs'

const web = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const routes = JSON.parse(readFileSync(join(web, 'routes.json'), 'utf8'))
process.env.SHOTS ??= join(web, 'shots')
if (words.length === 0) rmSync(process.env.SHOTS, { recursive: true, force: true })

const shop = await startShop()
process.env.SHOP_URL = shop.url
process.env.SANDBOX_URL = shop.sandbox
const { DESK, openBrowser, PHONE, TABLET, visitor } = await import('./browser.mjs')
const { PASSWORD, signIn } = await import('./steps.mjs')

const everybody = ({ guard }) => guard.scope.length === 0
const scoped = (scope) => (route) => route.guard.scope.includes(scope)
const ROLES = {
  guest: { sees: (route) => everybody(route) && !route.guard.login },
  member: { username: 'shopper01', sees: everybody },
  seller: { username: 'hangang', sees: scoped('company') },
  operator: { username: 'operator', sees: scoped('console') },
}

async function read(path, token) {
  const answer = await fetch(shop.url + path, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
  return answer.json()
}

async function tokenOf(username) {
  const basic = Buffer.from(`${username}:${PASSWORD}`).toString('base64')
  const answer = await fetch(`${shop.url}/api/auth/refreshToken`, { headers: { Authorization: `Basic ${basic}` } })
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

/** Ids of what else has pages of its own. */
async function codesOf(role, token) {
  if (role === 'operator') {
    const [banners, showrooms] = await Promise.all([
      read('/api/console/banners?limit=1', token),
      read('/api/console/shop/showrooms?limit=1', token),
    ])
    return { bannerId: banners.banners[0]._id, code: showrooms.showrooms[0].code }
  }
  const { showrooms } = await read('/api/v1/shop/showrooms?limit=1', token)
  const code = { code: showrooms[0].code }
  if (role !== 'member') return code
  const [reviews, inquires] = await Promise.all([
    read('/api/v1/me/reviews?limit=1', token),
    read('/api/v1/me/inquires?limit=1', token),
  ])
  return { ...code, reviewId: reviews.reviews[0]._id, inquiryId: inquires.inquires[0]._id }
}

/** What stands in the places of addresses, and the queries pages need to have something to show. */
async function placesOf(role, username) {
  const token = username && (await tokenOf(username))
  const isStaff = role === 'seller' || role === 'operator'
  const goods = await read(isStaff ? '/api/console/shop/products?limit=1' : '/api/v1/shop/products?limit=1', token)
  const orders = isStaff
    ? (await read('/api/console/shop/purchases?tab=delivery&limit=1', token)).purchases.map((one) => one._order)
    : token
      ? (await read('/api/v1/me/orders?limit=1', token)).orders.map((one) => one._id)
      : []
  const [order = 'none'] = orders
  return {
    in: { productId: goods.products[0]._id, orderId: order, tab: 'used', ...(await codesOf(role, token)) },
    code: CODES,
    after: {
      '/mypage/orders-detail': `?order=${order}`,
      '/shop/result': orders.length > 0 ? `?order=${order}` : '',
      '/search': '?q=자전거',
    },
  }
}

const filled = (path, places) =>
  path.replaceAll(/:(\w+)/g, (_, place) => (place === 'code' && places.code[path]) || (places.in[place] ?? place)) +
  (places.after[path] ?? '')

/** Whether the words of the command line ask for a page as this kind of visitor. */
function isWanted(route, kinds) {
  const addresses = words.filter((word) => word.startsWith('/'))
  const others = words.filter((word) => !word.startsWith('/'))
  return (
    others.every((word) => kinds.includes(word)) &&
    (addresses.length === 0 || addresses.some((address) => route.path.startsWith(address)))
  )
}

const browser = await openBrowser()
const wrong = []
let taken = 0

/** A picture of every page of `seen`, as one visitor. */
async function walk(who, username, seen, places) {
  if (username) {
    await who.open('/login')
    await signIn(who, username)
  }
  for (const route of seen) {
    who.faults.length = 0
    const address = filled(route.path, places)
    const flaws = await who
      .open(address)
      .then(() => who.flaws(route.path.replaceAll(':', '')))
      .catch((error) => [error.message])
    wrong.push(...flaws.map((flaw) => `${who.name} ${address}: ${flaw}`))
    taken += 1
  }
}

for (const [role, { username, sees }] of Object.entries(ROLES)) {
  const places = await placesOf(role, username)
  for (const screen of [PHONE, TABLET, DESK]) {
    // The gallery of components shows how waiting looks, for ever.
    const seen = routes.filter(
      (route) =>
        !route.redirect && route.path !== '/test' && sees(route) && isWanted(route, [role, String(screen.width)]),
    )
    if (seen.length === 0) continue
    const who = await visitor(browser, { screen, name: `${role}-${screen.width}` })
    const failed = await walk(who, username, seen, places).catch((error) => error)
    if (failed) wrong.push(`${who.name}: ${failed.message}`)
    await who.leave(failed)
  }
}
await browser.close()
const stopped = await shop.stop()
process.stdout.write(`${taken} pictures in ${process.env.SHOTS}\n`)
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exit(wrong.length === 0 && stopped ? 0 : 1)
