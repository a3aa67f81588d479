// A period is typed by keyboard, digit by digit: every list and statistics page asks for the days that were typed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Milliseconds between two keys. The browser's language is English: month, day, year. */
const SPEEDS = { fast: 10, slow: 200 }
/** Pages, and their names of the first and the last day. */
const PAGES = {
  '/console/shop/purchases/all': ['createdAtFrom', 'createdAtTo'],
  '/console/user-points': ['createdAtFrom', 'createdAtTo'],
  '/console/analytics/sales': ['from', 'to'],
}

test('a typed period is the one that is asked for', () =>
  as(browser, { name: 'periods' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/dashboard')
    await signIn(who, 'operator')
    const type = async (label, digits, delay) => {
      const input = page.getByLabel(label)
      await input.focus()
      await page.keyboard.type(digits, { delay })
      return input.inputValue()
    }
    for (const [name, delay] of Object.entries(SPEEDS))
      for (const [path, names] of Object.entries(PAGES)) {
        await who.open(path)
        const first = await type('시작일', '11152026', delay)
        const last = await type('종료일', '11202026', delay)
        await who.settled()
        const asked = new URL(page.url()).searchParams
        const where = `${path}, ${name}`
        assert.deepEqual([first, last], ['2026-11-15', '2026-11-20'], where)
        assert.deepEqual(
          names.map((one) => asked.get(one)),
          ['2026-11-15', '2026-11-20'],
          where,
        )
      }
  }))
