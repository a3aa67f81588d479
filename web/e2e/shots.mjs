// `npm run shots [words]`: a screenshot of every page of routes.json, as every role that may see it, on phone, tablet and desktop, light
// and dark, into web/shots/. Reports problems of the pages and fails then. Words filter: `npm run shots operator 390 dark /console`.
//   JANGBU_BIN, CHROMIUM_PATH  as for `npm run e2e`
//   SHOTS                      another folder
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop } from './shop.mjs'

const words = process.argv.slice(2)
process.env.SHOTS ??= join(import.meta.dirname, '../shots')
if (words.length === 0) rmSync(process.env.SHOTS, { recursive: true, force: true })

const shop = await startShop()
process.env.SHOP_URL = shop.url
process.env.SANDBOX_URL = shop.sandbox
const { as, DESK, openBrowser, PHONE, TABLET, visitor } = await import('./browser.mjs')
const { addressesOf, maySee, ROLES, routes } = await import('./places.mjs')
const { find, signIn } = await import('./steps.mjs')

const LOOKS = [
  { screen: PHONE, colorScheme: 'light' },
  { screen: TABLET, colorScheme: 'light' },
  { screen: DESK, colorScheme: 'light' },
  { screen: PHONE, colorScheme: 'dark' },
  { screen: DESK, colorScheme: 'dark' },
]

/** Staff are captured in the console, a member and a guest in the shop; pages without a login are captured as a guest. */
const isTheirs = (role, { guard }) =>
  ROLES[role].scopes.length > 0
    ? guard.scope.length > 0
    : guard.scope.length === 0 && (role === 'guest' || guard.login === true)

/** Whether the words of the command line select a page as this kind of visitor. */
function isWanted(route, kinds) {
  const addresses = words.filter((word) => word.startsWith('/'))
  const others = words.filter((word) => !word.startsWith('/'))
  return (
    others.every((word) => kinds.includes(word)) &&
    (addresses.length === 0 || addresses.some((address) => route.path.startsWith(address)))
  )
}

/** Products that guests and members have viewed, liked and put into the cart; some need an option. */
const WANTED = [
  { name: '봄날 시티 바이크', option: '민트' },
  { name: '콩알 미니벨로', option: '노랑' },
  { name: '사과 착즙주스' },
  { name: '당근 착즙주스' },
]

/** Views and likes products; returns the browser's storage state. */
async function furnish(who, username) {
  const { page } = who
  await who.open(username ? '/login' : '/')
  if (username) await signIn(who, username)
  for (const { name, option } of WANTED) {
    await find(who, name, name)
    const main = page.getByRole('main')
    if (option) await main.getByRole('button', { name: option }).click()
    await main.getByRole('button', { name: '장바구니', exact: true }).click()
    await page.getByText('장바구니에 담았습니다.').first().waitFor()
    if (username)
      await main
        .getByRole('button', { name: `${name} 찜하기` })
        .first()
        .click()
    await who.answered()
  }
  // A member's data is on the server.
  return username ? {} : page.context().storageState()
}

const browser = await openBrowser()
const wrong = []
let taken = 0

/** Captures every page of `seen`, as one visitor. */
async function walk(who, username, seen, addressOf) {
  if (username) {
    await who.open('/login')
    await signIn(who, username)
  }
  for (const route of seen) {
    who.faults.length = 0
    const address = addressOf(route.path)
    const flaws = await who
      .open(address)
      .then(() => who.flaws(route.path === '/' ? 'home' : route.path.replaceAll(':', '')))
      .catch((error) => [error.message])
    wrong.push(...flaws.map((flaw) => `${who.name} ${address}: ${flaw}`))
    taken += 1
  }
}

for (const role of Object.keys(ROLES)) {
  const { username } = ROLES[role]
  const { addressOf, isWhole } = await addressesOf(ROLES[role])
  let kept
  for (const { screen, colorScheme } of LOOKS) {
    const kinds = [role, String(screen.width), colorScheme]
    const seen = routes
      .filter((route) => !route.redirect && isWanted(route, kinds))
      .filter((route) => isTheirs(role, route) && maySee(ROLES[role], route) && isWhole(route.path))
    if (seen.length === 0) continue
    if (ROLES[role].scopes.length === 0)
      kept ??= await as(browser, { name: `${role}-before` }, (who) => furnish(who, username)).catch((error) => {
        wrong.push(`${role}-before: ${error.message}`)
        return {}
      })
    const name = `${role}-${screen.width}-${colorScheme}`
    const who = await visitor(browser, { screen, colorScheme, name, storageState: kept })
    const failed = await walk(who, username, seen, addressOf).catch((error) => error)
    if (failed) wrong.push(`${who.name}: ${failed.message}`)
    await who.leave(failed)
  }
}
await browser.close()
const stopped = await shop.stop()
process.stdout.write(`${taken} pictures in ${process.env.SHOTS}\n`)
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exit(wrong.length === 0 && stopped ? 0 : 1)
