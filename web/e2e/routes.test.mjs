// Every page of the app, as every role: it opens or refuses as docs/spec/routes.tsv requires, has no problems, and its links work.
// One Chromium; the four roles run in parallel. axe and the checks at a phone's size run once per page, as the first role
// that may see it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { as, openBrowser } from './browser.mjs'
import { addressesOf, maySee, ROLES, routes } from './places.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Parses `none`, `login`, `console+company`, `login&company` into the app's guards. */
const GUARDS = {
  none: { login: false, scope: [] },
  login: { login: true, scope: [] },
  company: { login: false, scope: ['company'] },
  'login&company': { login: true, scope: ['company'] },
  console: { login: false, scope: ['console'] },
  'console+company': { login: false, scope: ['console', 'company'] },
}

/** Messages of refusals (spec V152, V154). */
const LOGIN_FIRST = 'Please log in to continue'
const DENIED = 'Access denied'

/** The guard and redirect that the specification requires, by path. */
const asked = new Map(
  readFileSync(join(import.meta.dirname, '../../docs/spec/routes.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([, , path, guard, redirect]) => [
      path,
      { guard: GUARDS[guard], redirect: redirect === '-' ? null : redirect },
    ]),
)
/** Pages the specification requires without an address keep their own guard (src/app/guards.test.ts lists which those are). */
for (const { path, guard, redirect } of routes)
  if (!asked.has(path)) asked.set(path, { guard: { login: guard.login, scope: guard.scope }, redirect })

/** Pages that redirect visitors without the needed state: a payment, agreements, a guest's cart. */
const SENDS_ON = {
  '/plugins/nicepayments/request': () => '/shop/result',
  '/plugins/nicepayments/response': () => '/shop/result',
  '/plugins/nice/pay/result': () => '/shop/result',
  '/join/form': ({ username }) => (username ? '/join/agreement?type=PERSON' : '/join/form'),
  '/shop/cart': ({ username }) => (username ? '/cart' : '/shop/cart'),
}

/** The address where this role ends up when it opens an address of this path, and the message it sees there. */
function endOf(role, path, address) {
  const { guard, redirect } = asked.get(path)
  if (redirect) return endOf(role, redirect, redirect)
  if (guard.login && !role.username) return { end: `/login?next=${encodeURIComponent(address)}`, told: LOGIN_FIRST }
  if (!maySee(role, { guard })) return { end: path.startsWith('/console') ? '/console' : '/', told: DENIED }
  return { end: SENDS_ON[path]?.(role) ?? address }
}

/** A page still loading after this is reported. */
const SOON = { timeout: 15_000 }

/** Pages that some role has opened. */
const opened = new Set()
/** Guards, by part of the app, that have refused a guest on a full page load. */
const tried = new Set()
/** Internal addresses that pages link to, and a page that links there. */
const led = new Map()

const addressOn = (page) => decodeURI(page.url().slice(new URL(page.url()).origin.length))

/** Whether the guard of this path has refused a guest in this part of the app before; records that it has now. */
function isTried(path) {
  const guard = JSON.stringify([path.split('/')[1], asked.get(path).guard])
  const was = tried.has(guard)
  tried.add(guard)
  return was
}

/** Problems of this page for this visitor. */
async function wrongWith(who, role, path, address) {
  const { page } = who
  const { end, told } = endOf(role, path, address)
  who.faults.length = 0
  const isFirst = !opened.has(path) && end === address
  if (isFirst) opened.add(path)
  // The first visit of a page is a full load, as is a guest's first refusal by each guard in each part of the app; the other
  // visits navigate within the app.
  if (isFirst || !(role.username || (told && isTried(path)))) await page.goto(address)
  else await who.move(address)
  await page.waitForURL((url) => decodeURI(url.pathname + url.search) === decodeURI(end), SOON).catch(() => undefined)
  const look = async () => {
    await who.settled()
    const wrong = await who.unsound()
    if (addressOn(page) !== decodeURI(end)) wrong.push(`ends at ${addressOn(page)}, not ${end}`)
    return wrong
  }
  const silent = () => 'does not say why it refuses'
  const words = told && (await page.getByText(told).first().waitFor(SOON).catch(silent))
  let wrong = await look()
  // On a busy machine a page may still be loading; real problems persist.
  const until = performance.now() + SOON.timeout
  while (wrong.length > 0 && performance.now() < until) {
    await sleep(250)
    wrong = await look()
  }
  if (words) wrong.push(words)
  const hrefs = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="/"]')].map((one) => one.getAttribute('href')),
  )
  for (const href of hrefs) led.set(href.split(/[?#]/)[0], address)
  if (isFirst) {
    wrong.push(...(await who.axe()).map((objection) => `axe: ${JSON.stringify(objection)}`))
    wrong.push(...(await who.unsoundOnPhone()))
  }
  return [...wrong, ...who.faults].map((one) => `${who.name} ${address}: ${one}`)
}

/** A guest accepts the terms, for the join form; other roles sign in. */
async function begin(who, { username }) {
  await who.open(username ? '/login' : '/join/agreement?type=PERSON')
  if (username) return signIn(who, username)
  await who.page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
  await who.page.getByRole('button', { name: '다음' }).click()
  await who.page.waitForURL('**/join/form*')
}

/** Problems of the app for this role. */
const walk = (name) =>
  as(browser, { name }, async (who) => {
    const role = ROLES[name]
    const { addressOf, isWhole } = await addressesOf(role)
    await begin(who, role)
    const wrong = []
    for (const { path } of routes) {
      const address = addressOf(path)
      // This role has no content there; roles that have some visit it.
      if (!isWhole(path) && !endOf(role, path, address).told) continue
      const found = await wrongWith(who, role, path, address).catch(({ message }) => [`${name} ${address}: ${message}`])
      wrong.push(...found)
    }
    return wrong
  })

const leadsTo = (path, href) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(href)

test('every page opens or refuses as the specification requires, and has no problems', async () => {
  const wrong = (await Promise.all(Object.keys(ROLES).map(walk))).flat()
  const dead = [...led].filter(([href]) => !routes.some(({ path }) => leadsTo(path, href)))
  wrong.push(...dead.map(([href, from]) => `${from} leads to ${href}, where nothing stands`))
  const unopened = routes.filter(({ path }) => !opened.has(path) && !asked.get(path).redirect && !SENDS_ON[path])
  wrong.push(...unopened.map(({ path }) => `nobody could open ${path}`))
  assert.deepEqual(wrong, [])
})
