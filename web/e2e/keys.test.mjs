// The shortcuts listed by `?` work on the page that lists them, on every page of the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { addressesOf, maySee, ROLES, routes } from './places.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Whether the page reaches this state after a key was pressed. */
const inPage = (page, what) =>
  page.waitForFunction(what, undefined, { timeout: 5_000 }).then(
    () => true,
    () => false,
  )

/** By the label in the help: presses the key and returns whether it worked. The one that leaves the page comes last. */
const KEYS = {
  'Ctrl+K': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    return inPage(page, () => !document.querySelector('[role="dialog"]'))
  },
  'J / K': async (page) => {
    await page.keyboard.press('j')
    const isThere = await inPage(page, () => document.activeElement.localName === 'tr')
    await page.keyboard.press('k')
    return isThere && inPage(page, () => document.activeElement.localName === 'tr')
  },
  'X 또는 Space': async (page) => {
    const isPicked = () => document.activeElement.querySelector('input[type="checkbox"]')?.checked
    await page.keyboard.press('x')
    const isOn = await inPage(page, isPicked)
    await page.keyboard.press(' ')
    return isOn && inPage(page, () => !document.activeElement.querySelector('input[type="checkbox"]').checked)
  },
  Enter: async (page) => {
    const before = page.url()
    await page.keyboard.press('Enter')
    return page
      .waitForURL((url) => url.href !== before, { timeout: 5_000 })
      .then(
        () => true,
        () => false,
      )
  },
  '/': async (page) => {
    await page.keyboard.press('/')
    return inPage(page, () => document.activeElement.type === 'search' && document.activeElement.value === '')
  },
  'Ctrl+S': async (page) => {
    await page.keyboard.press('Control+s')
    // Nothing was changed, or a new record lacks required fields.
    return inPage(page, () => /바뀐 내용이 없습니다|변경된 내용이 없습니다|확인해 주세요/.test(document.body.innerText))
  },
}
const ORDER = ['Ctrl+K', '/', 'Ctrl+S', 'J / K', 'X 또는 Space', 'Enter']
/** These act on the focused row. */
const ON_ROW = ['X 또는 Space', 'Enter']
/** These open and close the help itself. */
const OF_HELP = ['?', 'Esc']

async function walk(role) {
  await as(browser, { name: `keys-${role.username}` }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console')
    await signIn(who, role.username)
    await page.waitForURL('**/console**')
    const { addressOf, isWhole } = await addressesOf(role)
    const wrong = []
    const told = new Set()
    const pages = routes.filter(
      ({ path, guard, redirect }) =>
        path.startsWith('/console/') && !redirect && isWhole(path) && maySee(role, { guard }),
    )
    assert.ok(pages.length >= role.pages, `the console has pages: ${pages.length}`)
    for (const { path } of pages) {
      await who.move(addressOf(path))
      await who.settled()
      await page.evaluate(() => document.activeElement?.blur())
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: '단축키' })
      await help.waitFor()
      const keys = await help.getByRole('term').allInnerTexts()
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      for (const key of keys) told.add(key)
      const unknown = keys.filter((key) => !KEYS[key] && !OF_HELP.includes(key))
      wrong.push(...unknown.map((key) => `${path}: what does ${key} do?`))
      for (const key of ORDER.filter((one) => keys.includes(one))) {
        // From the page itself, except for keys that act on the focused row.
        if (!ON_ROW.includes(key)) await page.evaluate(() => document.activeElement?.blur())
        if (!(await KEYS[key](page))) wrong.push(`${path}: ${key} does not work`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual([...told].sort(), [...Object.keys(KEYS), ...OF_HELP].sort(), 'each key works somewhere')
  })
}

test('the shortcuts listed by ? work on every page of the console', () => walk({ ...ROLES.operator, pages: 31 }))
test("the shortcuts listed by ? work on every page of a seller's console", () => walk({ ...ROLES.seller, pages: 10 }))

/** Whether the focused element's middle is under something else. */
const isCovered = () => {
  const at = document.activeElement
  const { x, y, width, height } = at.getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  return top !== null && !at.contains(top) && !top.contains(at) && top.closest('.sticky') !== at.closest('.sticky')
}

test("what has the focus is not behind a form's buttons", () =>
  as(browser, { name: 'keys-form' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/products')
    await signIn(who, ROLES.seller.username)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByLabel(/^상품명/).focus()
    await who.settled()
    const covered = []
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(isCovered)) covered.push(await page.evaluate(() => document.activeElement.outerHTML))
    }
    assert.deepEqual(covered, [])
  }))
