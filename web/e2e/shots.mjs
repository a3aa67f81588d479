// `npm run shots [words]`: a picture of every page of routes.json, as everybody who may see it, on a phone, a tablet and a desk, light and
// dark, into web/shots/. Says what is wrong with any of them and fails then. Words choose: `npm run shots operator 390 dark /console`.
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
const { DESK, openBrowser, PHONE, TABLET, visitor } = await import('./browser.mjs')
const { addressesOf, maySee, ROLES, routes } = await import('./places.mjs')
const { signIn } = await import('./steps.mjs')

const LOOKS = [
  { screen: PHONE, colorScheme: 'light' },
  { screen: TABLET, colorScheme: 'light' },
  { screen: DESK, colorScheme: 'light' },
  { screen: PHONE, colorScheme: 'dark' },
  { screen: DESK, colorScheme: 'dark' },
]

/** Staff is pictured at work, a member and a guest in the shop; what guests see is pictured as theirs. */
const isTheirs = (role, { guard }) =>
  ROLES[role].scopes.length > 0
    ? guard.scope.length > 0
    : guard.scope.length === 0 && (role === 'guest' || guard.login === true)

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
  for (const { screen, colorScheme } of LOOKS) {
    const kinds = [role, String(screen.width), colorScheme]
    // The gallery of components shows how waiting looks, for ever.
    const seen = routes
      .filter((route) => !route.redirect && route.path !== '/test' && isWanted(route, kinds))
      .filter((route) => isTheirs(role, route) && maySee(ROLES[role], route) && isWhole(route.path))
    if (seen.length === 0) continue
    const who = await visitor(browser, { screen, colorScheme, name: `${role}-${screen.width}-${colorScheme}` })
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
