// A full page load reads each resource once: no read is sent twice, aborted and sent again, or sent while the page is left.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { as, DESK, openBrowser, PHONE, sandboxUrl, shopUrl } from './browser.mjs'
import { fillAddress, fillSender, signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Longer than the delay of parts of a page that load in idle time. */
const SLOW_MS = 4000

/** Read requests: GETs of the API, and the price of an order, which is a POST. */
const isRead = (request) => {
  const { origin, pathname } = new URL(request.url())
  if (origin !== shopUrl || !pathname.startsWith('/api/')) return false
  return request.method() === 'GET' || pathname.endsWith('/orders/preview')
}

/** The identity of a read; pages of a list differ in their headers. */
const asks = async (request) => {
  const { pathname, search } = new URL(request.url())
  const { skip = '', limit = '' } = await request.allHeaders().catch(() => request.headers())
  return [request.method(), pathname + search, skip, limit].filter(Boolean).join(' ')
}

/** Records the reads of a page from now on. */
function reads(page) {
  const sent = []
  const aborted = []
  const note = (request) => isRead(request) && sent.push(request)
  const fail = (request) => isRead(request) && aborted.push(request)
  page.on('request', note)
  page.on('requestfailed', fail)
  return async () => {
    page.off('request', note)
    page.off('requestfailed', fail)
    const all = await Promise.all(sent.map(asks))
    const prices = all.filter((one) => one.includes('/orders/preview')).length
    const twice = all.filter((one, i) => all.indexOf(one) !== i)
    return { all, prices, twice, aborted: await Promise.all(aborted.map(asks)) }
  }
}

async function once(who, path, { priced = 0 } = {}) {
  // Reads of the previous page are not counted.
  await who.page.goto('about:blank')
  const told = reads(who.page)
  await who.page.goto(path)
  await who.settled()
  // Parts of a page that load in idle time, or after it, have loaded.
  await who.page.waitForTimeout(1500)
  await who.settled()
  const { all, ...found } = await told()
  assert.deepEqual(found, { twice: [], aborted: [], prices: priced }, `${path}: ${all.join('\n')}`)
  return all
}

const productOn = async ({ page }) =>
  page.evaluate(async () => {
    const answer = await fetch('/api/v1/shop/products?searchValue=시티 킥보드')
    const { products } = await answer.json()
    return products[0]._id
  })

/** Puts two products into the cart and selects them for checkout, through the pages. */
async function fillCart(who) {
  const { page } = who
  for (const term of ['시티 킥보드 S', '콩알 미니벨로']) {
    await who.open(`/search?searchValue=${encodeURIComponent(term)}`)
    await page.getByRole('main').getByRole('link', { name: term }).first().click()
    await page.getByRole('heading', { level: 1, name: term }).waitFor()
    await who.settled()
    const onPhone = await page.getByRole('button', { name: '구매하기' }).isVisible()
    if (onPhone) await page.getByRole('button', { name: '구매하기' }).click()
    const place = onPhone ? page.getByRole('dialog') : page.getByRole('main')
    await place.getByRole('button', { name: term.startsWith('시티') ? '하양' : '노랑' }).click()
    await place.getByRole('button', { name: '장바구니', exact: true }).click()
    await page.getByText('장바구니에 담았습니다.').first().waitFor()
    await who.settled()
  }
}

async function toOrderSheet(who, cart) {
  const { page } = who
  await who.open(cart)
  await page.getByRole('button', { name: /개 상품 주문하기$/ }).click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
  await who.settled()
}

for (const [name, screen] of [
  ['desk', DESK],
  ['phone', PHONE],
]) {
  test(`a guest's pages read nothing twice (${name})`, async () => {
    await as(browser, { name: `reads-guest-${name}`, screen }, async (who) => {
      await once(who, '/')
      await once(who, '/shop/products')
      await once(who, '/shop/products?category=kickboard&sort=PRICE_ASC')
      await once(who, `/shop/products/${await productOn(who)}`)
      await once(who, '/search?searchValue=킥보드')
      await once(who, '/shop/cart')
      await fillCart(who)
      await once(who, '/')
      await once(who, '/shop/cart', { priced: 1 })
      await toOrderSheet(who, '/shop/cart')
      await once(who, '/shop/order', { priced: 1 })
      await once(who, '/login?next=/cart')
    })
  })

  test(`a member's pages read nothing twice, and nothing is read while a page is left (${name})`, async () => {
    await as(browser, { name: `reads-member-${name}`, screen }, async (who) => {
      const { page } = who
      await who.open('/login')
      await signIn(who, 'shopper03')
      await who.settled()
      await once(who, '/')
      await once(who, '/shop/products')
      // The page shows what each coupon of the box takes off.
      await once(who, `/shop/products/${await productOn(who)}`, { priced: 1 })
      await once(who, '/search?searchValue=킥보드')
      await fillCart(who)
      await once(who, '/cart', { priced: 1 })
      await once(who, '/mypage')
      await once(who, '/mypage/orders')
      await once(who, '/mypage/likes')
      await toOrderSheet(who, '/cart')
      await once(who, '/shop/order', { priced: 1 })
      await fillAddress(who, { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' })
      await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
      await who.settled()
      const told = reads(page)
      await page.getByRole('button', { name: /(결제|주문)하기$/ }).click()
      await page.waitForURL((url) => url.origin === sandboxUrl)
      const { all } = await told()
      assert.deepEqual(all, [], 'reads on the way to the payment window')
    })
  })
}

test('a slow product page gets the recently viewed products with the command that adds its own', async () => {
  await as(browser, { name: 'reads-slow-product' }, async (who) => {
    const { page } = who
    await who.open('/login')
    await signIn(who, 'shopper03')
    await who.settled()
    const product = await productOn(who)
    // The response comes after the sidebar has rendered, as on a busy machine.
    await page.route(`**/api/v1/shop/products/${product}`, async (route) => {
      await sleep(SLOW_MS)
      await route.continue()
    })
    const all = await once(who, `/shop/products/${product}`, { priced: 1 })
    assert.equal(all.filter((one) => one.includes('/me/watches')).length, 0, all.join('\n'))
    await page.goto('/mypage/recent')
    await page.getByRole('main').getByRole('link', { name: '시티 킥보드' }).first().waitFor()
  })
})

test("placing a guest's order reads nothing while the page is left", async () => {
  await as(browser, { name: 'reads-leaving' }, async (who) => {
    const { page } = who
    await fillCart(who)
    await toOrderSheet(who, '/shop/cart')
    await fillSender(who, { name: '나그네', phone: '010-9876-5432', email: 'guest@example.com' })
    await fillAddress(who, { postcode: '04524', address: '서울특별시 중구 세종대로 110' })
    await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
    await who.settled()
    const told = reads(page)
    await page.getByRole('button', { name: /(결제|주문)하기$/ }).click()
    await page.waitForURL((url) => url.origin === sandboxUrl)
    assert.deepEqual((await told()).all, [])
  })
})

test('pages of the console read nothing twice', async () => {
  await as(browser, { name: 'reads-operator' }, async (who) => {
    await who.open('/login')
    await signIn(who, 'operator')
    await who.settled()
    for (const path of ['/console/dashboard', '/console/shop/purchases/payment', '/console/shop/products']) {
      const all = await once(who, path)
      assert.ok(all.length > 0, `${path} reads`)
    }
  })
})
