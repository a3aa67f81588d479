// Where staff begin: signing in leads to what waits, each number is that of its list, and the palette finds records.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

/** Other journeys change what waits meanwhile. */
const TRIES = 4

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const waitingOn = ({ page }) => page.getByRole('region', { name: '기다리는 일' }).getByRole('link')

/** The name, the number and the list of each entry. */
const entriesOn = (who) =>
  waitingOn(who).evaluateAll((links) =>
    links.map((link) => ({
      name: link.firstElementChild.textContent,
      count: link.querySelector('.figures').textContent,
      to: link.getAttribute('href'),
    })),
  )

/** Whether the list of an entry has as many rows. */
async function hasAsMany(who, { count, to }) {
  await who.open(to)
  await who.settled()
  const text = await who.page.getByRole('main').innerText()
  return new RegExp(`(^|[^\\d,])${count}`, 'm').test(text)
}

test('an operator signs in, sees what waits, and finds as many in each list', () =>
  as(browser, { name: 'operator-begins' }, async (who) => {
    const { page } = who
    await who.open('/login')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/dashboard')
    await waitingOn(who).first().waitFor()
    await who.look('기다리는 일')
    const entries = await entriesOn(who)
    assert.ok(entries.length >= 4, JSON.stringify(entries))
    for (const { name } of entries) {
      let isEqual = false
      for (let n = 0; n < TRIES && !isEqual; n += 1) {
        await who.open('/console/dashboard')
        await waitingOn(who).first().waitFor()
        const entry = (await entriesOn(who)).find((one) => one.name === name)
        // Done meanwhile.
        isEqual = entry === undefined || (await hasAsMany(who, entry))
      }
      assert.ok(isEqual, `${name} has as many rows as it says`)
    }
    await who.look('목록')

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '이동하기' }).fill('오렌지 착즙')
    await page.getByRole('option', { name: /^오렌지 착즙주스/ }).waitFor()
    await who.look('상품 찾기')
    await page.getByRole('option', { name: /^오렌지 착즙주스/ }).click()
    await page.waitForURL('**/console/shop/products/*')
  }))

test('a seller begins with their own, on a phone', () =>
  as(browser, { name: 'seller-begins', screen: PHONE, colorScheme: 'dark' }, async (who) => {
    const { page } = who
    await who.open('/login')
    await signIn(who, 'freshpress')
    await page.waitForURL('**/console/dashboard')
    await page.getByRole('heading', { level: 2, name: '기다리는 일' }).waitFor()
    await who.look('판매자의 할 일')
    assert.equal(await waitingOn(who).filter({ hasText: '1:1 문의' }).count(), 0)
    await page.getByRole('button', { name: '메뉴 열기' }).click()
    await page.getByRole('dialog').getByRole('link', { name: '발송', exact: true }).waitFor()
    await who.look('메뉴')
  }))
