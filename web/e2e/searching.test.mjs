// Searches twice, the second time from the results, by every way to choose a term; the same term again is not sent (spec V162).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, DESK, openBrowser, PHONE } from './browser.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

for (const [name, screen] of [
  ['desk', DESK],
  ['phone', PHONE],
])
  test(`searches again from the results (${name})`, async () => {
    await as(browser, { name: `search-${name}`, screen }, async (who) => {
      const { page } = who
      const sent = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/shop/logs')) sent.push(request.postDataJSON())
      })
      /** The header's search box, which on a phone is a screen of its own. */
      const begin = async () => {
        if (screen === DESK) {
          const box = page.getByRole('banner').getByRole('combobox')
          await box.click()
          return { box, place: page.getByRole('banner').getByRole('search') }
        }
        await page.getByRole('banner').getByRole('button', { name: '상품 검색' }).click()
        const place = page.getByRole('dialog')
        await place.getByRole('combobox').waitFor()
        return { box: place.getByRole('combobox'), place }
      }
      const found = async (term) => {
        await page.getByRole('heading', { level: 1, name: `‘${term}’ 검색 결과` }).waitFor()
        assert.equal(new URL(page.url()).searchParams.get('searchValue'), term)
        await who.settled()
      }
      const type = async (term) => {
        const { box } = await begin()
        await box.fill(term)
        await box.press('Enter')
      }

      await who.open('/')
      await type('자전거')
      await found('자전거')
      await type('킥보드')
      await found('킥보드')
      await who.look('두 번째 검색')

      const opened = await begin()
      const words = opened.place.getByRole('region', { name: '최근 검색어' })
      await words.waitFor()
      await who.look('검색창')
      await page.goBack()
      await words.waitFor({ state: 'detached' })
      if (screen === DESK) {
        // On desktop the suggestions do not stay open between two pages.
        await found('자전거')
        await page.goForward()
      }
      await found('킥보드')

      const recent = await begin()
      await recent.place
        .getByRole('region', { name: '최근 검색어' })
        .getByRole('button', { name: '자전거', exact: true })
        .click()
      await found('자전거')

      const suggested = await begin()
      await suggested.box.fill('주ㅅ')
      await suggested.place.getByRole('option').first().waitFor()
      const offer = (await suggested.place.getByRole('option').first().innerText()).trim()
      await suggested.place.getByRole('option').first().click()
      await found(offer)

      const { place } = await begin()
      const ranking = place.getByRole('region', { name: '실시간 인기 검색어', exact: true })
      const ranked = ranking.getByRole('button').filter({ hasText: /^\d/ }).first()
      const term = await ranked.locator('span.truncate').innerText()
      await ranked.click()
      await found(term)

      const tagged = await begin()
      const tags = tagged.place.getByRole('region', { name: '인기 태그' }).getByRole('button')
      const tag = (await tags.first().innerText()).replace('#', '')
      await tags.first().click()
      await found(tag)

      await type('스쿠터')
      await found('스쿠터')
      const before = sent.length
      const depth = await page.evaluate(() => history.state.idx)
      await type('스쿠터')
      await who.answered()
      assert.equal(sent.length, before, 'the same term is not sent again')
      assert.equal(await page.evaluate(() => history.state.idx), depth)
      await found('스쿠터')
      await who.look('같은 검색어')
    })
  })
