// Very long names without a space to break at: nothing is wider than the narrowest window, in the shop and in the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, shopUrl, TABLET } from './browser.mjs'
import { read, tokenOf } from './places.mjs'
import { fillAddress, fillSender, pay, placeOrder, signIn } from './steps.mjs'

const NARROW = { width: 320, height: 568 }
const PRODUCT =
  '초경량카본프레임전동변속시스템장착유압디스크브레이크배달스쿠터한정판스페셜에디션MODEL0123456789ABCDEFGHIJ'
const BRAND = '세상에서가장긴이름을가진탈것브랜드'.repeat(3)
const OPTION = '멀리서도잘보이는형광노랑빛을두번칠한'.repeat(3)
const RECEIVER = '김수한무거북이와두루미삼천갑자동방삭치치카포사리사리센타'
const ADDRESS = `서울특별시 강남구 테헤란로 152 ${'이름이아주긴건물'.repeat(5)}`

let browser
let product
before(async () => {
  browser = await openBrowser()
  product = await nameLong()
})
after(() => browser?.close())

/** A scooter and its brand that no other test uses get the names. */
async function nameLong() {
  const token = await tokenOf('operator')
  const change = async (path, changes) => {
    const answer = await fetch(shopUrl + path, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(changes),
    })
    assert.equal(answer.status, 200, await answer.text())
  }
  const { products } = await read('/api/console/shop/products?searchValue=SC-05', token)
  const path = `/api/console/shop/products/${products[0]._id}`
  const { version, brand, options } = (await read(path, token)).product
  await change(path, {
    version,
    name: PRODUCT,
    options: options.map((one) => ({ ...one, value: OPTION })),
  })
  const { brands } = await read('/api/console/shop/brands', token)
  const known = brands.find(({ code }) => code === brand)
  await change(`/api/console/shop/brands/${known._id}`, { version: known.version, name: BRAND })
  return products[0]._id
}

/** Checks without axe: routes.test.mjs runs it on each page. */
async function holds(who, title) {
  await who.settled()
  await who.shoot(title)
  assert.deepEqual([...(await who.unsound()), ...who.faults], [], `${title} at ${who.page.url()}`)
}

const order = {}

test('the shop fits long names into the narrowest window', () =>
  as(browser, { name: 'narrow', screen: NARROW }, async (who) => {
    const { page } = who
    for (const path of ['/', '/shop/products?searchValue=초경량', '/search?searchValue=초경량', '/shop/brands']) {
      await who.open(path)
      await holds(who, path)
    }
    await who.open(`/shop/products/${product}`)
    await page.getByRole('button', { name: '구매하기' }).click()
    await page.getByRole('dialog').getByRole('button', { name: OPTION }).first().click()
    await holds(who, '옵션')
    await page.getByRole('dialog').getByRole('button', { name: '장바구니', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await who.open('/shop/cart')
    await holds(who, '장바구니')
    await page.getByRole('button', { name: '1개 상품 주문하기' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillSender(who, { name: RECEIVER, phone: '01044446666', email: 'narrow@example.com' })
    await fillAddress(who, { postcode: '06236', address: ADDRESS })
    await holds(who, '주문서')
    await pay(who, await placeOrder(who))
    await holds(who, '결과')
    order.id = new URL(page.url()).searchParams.get('order')
    await page.getByRole('link', { name: '주문 상세' }).click()
    await page.getByText(RECEIVER).first().waitFor()
    await holds(who, '비회원 주문')
  }))

for (const screen of [NARROW, TABLET])
  test(`the console fits long names into ${screen.width} px`, () =>
    as(browser, { name: `operator-${screen.width}`, screen }, async (who) => {
      await who.open('/login?next=/console')
      await signIn(who, 'operator')
      for (const path of [
        '/console/dashboard',
        '/console/shop/purchases/all',
        `/console/shop/orders/${order.id}`,
        '/console/shop/products?q=SC-05',
        `/console/shop/products/${product}`,
        '/console/shop/brands',
        '/console/shop/statistics',
      ]) {
        await who.open(path)
        await holds(who, path)
      }
    }))
