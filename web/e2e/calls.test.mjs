// From the product page to the paid order with few calls: none twice, none aborted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, shopUrl } from './browser.mjs'
import { fillAddress, fillSender, pay, placeOrder, signIn } from './steps.mjs'

const CALLS_OF_A_MEMBER = 9
const CALLS_OF_A_GUEST = 7

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Records the API calls of a page from now on. */
function calls(page) {
  const sent = []
  const aborted = []
  const nameOf = (request) => {
    const { origin, pathname, search } = new URL(request.url())
    // The stream of alarms stays open as long as its page.
    const isCall = origin === shopUrl && pathname.startsWith('/api/') && !pathname.endsWith('/stream')
    return isCall && `${request.method()} ${pathname}${search}`
  }
  page.on('request', (request) => nameOf(request) && sent.push(nameOf(request)))
  page.on('requestfailed', (request) => nameOf(request) && aborted.push(nameOf(request)))
  return { sent, aborted }
}

/** Buys the product that is open; the calls from its page to the paid order. */
async function buy(who, product, fill) {
  const { page } = who
  await page.goto('about:blank')
  const found = calls(page)
  await page.goto(product)
  await who.settled()
  await page.getByRole('button', { name: '노랑' }).click()
  // Products beside it are read once they are near.
  await page.getByRole('button', { name: '바로구매' }).scrollIntoViewIfNeeded()
  await who.settled()
  await page.getByRole('button', { name: '바로구매' }).click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
  await who.settled()
  await fill()
  await who.settled()
  await pay(who, await placeOrder(who))
  await who.settled()
  return found
}

async function productOf(who) {
  const { page } = who
  await who.open('/search?searchValue=미니벨로')
  await page.getByRole('main').getByRole('link', { name: '콩알 미니벨로' }).first().click()
  await page.getByRole('heading', { level: 1, name: '콩알 미니벨로' }).waitFor()
  await who.settled()
  return page.url()
}

test('a guest pays with few calls', async () => {
  await as(browser, { name: 'calls-guest' }, async (who) => {
    const { sent, aborted } = await buy(who, await productOf(who), async () => {
      await fillSender(who, { name: '나그네', phone: '010-9876-5432', email: 'guest@example.com' })
      await fillAddress(who, { postcode: '04524', address: '서울특별시 중구 세종대로 110' })
    })
    assert.deepEqual(aborted, [], sent.join('\n'))
    assert.ok(sent.length <= CALLS_OF_A_GUEST, sent.join('\n'))
  })
})

test('a member pays with few calls', async () => {
  await as(browser, { name: 'calls-member' }, async (who) => {
    await who.open('/login')
    await signIn(who, 'shopper03')
    await who.settled()
    // The address is the one of the address book.
    const { sent, aborted } = await buy(who, await productOf(who), async () => undefined)
    assert.deepEqual(aborted, [], sent.join('\n'))
    assert.ok(sent.length <= CALLS_OF_A_MEMBER, sent.join('\n'))
  })
})
