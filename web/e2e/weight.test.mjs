// The transfer size of a first visit on a phone: the home page, and product pictures in the sizes the server cuts. The limits are the
// design's; the sizes of built files are checked by scripts/check-budget.mjs.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, shopUrl } from './browser.mjs'

const KB = 1024
/** Limits in KB. */
const LIMITS = { homeJs: 180, home: 450, 400: 12, 800: 45 }

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Kilobytes the page fetched, by type. */
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

/** The web font loads after the page (src/app/webfont.ts). */
const haveLetters = (page) =>
  page.waitForFunction(() => [...document.fonts].some((one) => /Jangbu/.test(one.family) && one.status === 'loaded'))

test('the home page stays below its size limits, with its web font', async () => {
  await as(browser, { name: 'first-visit', screen: PHONE }, async (who) => {
    await who.open('/')
    await haveLetters(who.page)
    await who.settled()
    const { pictures, ...sums } = await fetched(who.page)
    const told = JSON.stringify(sums)
    assert.ok(pictures > 0 && sums.js > 0 && sums.css > 0 && sums.woff2 > 0 && sums.words > 0, told)
    assert.ok(sums.js <= LIMITS.homeJs, `scripts: ${told}`)
    const all = Object.values(sums).reduce((total, size) => total + size, 0)
    assert.ok(all <= LIMITS.home, `${all} KB without pictures: ${told}`)
  })
})

/** Kerning does not work across files of Pretendard's split font, but does in ours: this text has no such pairs. */
const HEADING = '나의 이동수단 0011'

test("glyphs of the subset are as wide as Pretendard's own, in every weight", async () => {
  await as(browser, { name: 'letters' }, async (who) => {
    await who.open('/')
    await haveLetters(who.page)
    const widths = await who.page.evaluate(async (text) => {
      const fonts = ['Jangbu Sans', 'Pretendard Variable'].flatMap((family) =>
        [400, 500, 600, 700, 800].map((weight) => `${weight} 64px "${family}"`),
      )
      const faces = await Promise.all(fonts.map((font) => document.fonts.load(font, text)))
      if (faces.some((found) => found.length === 0)) throw new Error('a font is not there')
      return fonts.map((font) => {
        const line = document.createElement('span')
        line.textContent = text
        line.style.cssText = `position: fixed; font: ${font}; font-variant-numeric: tabular-nums`
        return document.body.appendChild(line).getBoundingClientRect().width
      })
    }, HEADING)
    assert.equal(new Set(widths.slice(0, 5)).size, 5, `${widths}`)
    assert.deepEqual(widths.slice(0, 5), widths.slice(5))
  })
})

test('no product picture is larger than its size allows', async () => {
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
