// Buying with the browser's back, forward and reload in every step, a second visit to the cart, and a payment window left by its back
// button. Input is not lost, and nothing is ordered or charged twice.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, sandboxUrl } from './browser.mjs'
import { charges, fillAddress, fillSender, find, orderNoOn, pay, placeOrder, signIn } from './steps.mjs'

let browser
before(async () => {
  // Like a real browser, keeps a page that is left in the back-forward cache; Playwright disables it by default.
  browser = await openBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
})
after(() => browser?.close())

const BUYER = { name: '김하늘', phone: '01044445555', email: 'sky@example.com' }
const DETAILS = '101동 1001호'

test('back, forward and reload lose no input and buy nothing twice', () =>
  as(browser, { name: 'returning', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    for (const name of ['배 착즙주스', '수박 착즙주스']) {
      await find(who, name, name)
      await page.getByRole('button', { name: '구매하기' }).click()
      await page.getByRole('dialog').getByRole('button', { name: '장바구니', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await who.open('/shop/cart')
    await page.getByRole('checkbox', { name: '수박 착즙주스 선택' }).uncheck()
    const toSheet = page.getByRole('button', { name: '1개 상품 주문하기' })
    await toSheet.waitFor()
    await page.reload()
    await toSheet.click()

    const title = (name) => page.getByRole('heading', { level: 1, name }).waitFor()
    const isTyped = async () => {
      await page.getByText('배 착즙주스').first().waitFor()
      assert.equal(await page.getByText('수박 착즙주스').count(), 0)
      assert.equal(await page.getByLabel(/^이름/).inputValue(), BUYER.name)
      assert.equal(await page.getByLabel('상세주소').inputValue(), DETAILS)
    }
    await title('주문서')
    await fillSender(who, BUYER)
    await fillAddress(who, { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' })
    await page.getByLabel('상세주소').fill(DETAILS)
    await page.reload()
    await isTyped()
    await page.goBack()
    await toSheet.waitFor()
    await page.goForward()
    await title('주문서')
    await isTyped()
    await page.goBack()
    await toSheet.click()
    await title('주문서')
    await isTyped()

    // Playwright's own `goBack` loses track of pages in the back-forward cache.
    const back = () =>
      Promise.all([page.waitForEvent('framenavigated'), page.evaluate(() => void setTimeout(() => history.back()))])
    const atPayment = async () => {
      await page.waitForURL((url) => url.origin === sandboxUrl)
      await page.locator('.amount').waitFor()
    }
    const amount = await placeOrder(who)
    await page.reload()
    await atPayment()
    await back()
    await title('결제가 완료되지 않았습니다')
    await page.getByText('결제창이 닫혔습니다.').waitFor()
    // The checkout page requests a price, and is refused because its lines are ordered already.
    if (who.faults.some((fault) => fault.includes('/orders/preview'))) who.wasRefused(409)
    await who.look('결제창에서 돌아옴')
    const orderNo = await orderNoOn(who)
    await page.reload()
    await title('결제가 완료되지 않았습니다')

    const again = page.getByRole('button', { name: '다시 결제하기' })
    await again.click()
    await atPayment()
    await back()
    await page.getByRole('alert').filter({ hasText: '결제창이 닫혔습니다.' }).waitFor()
    await again.click()
    await atPayment()
    await pay(who, amount)
    assert.equal(await orderNoOn(who), orderNo)
    await page.reload()
    await title('주문이 완료되었습니다')
    // Back past the payment window, to the page before the payment: it has been refreshed.
    do await back()
    while (new URL(page.url()).origin === sandboxUrl)
    assert.equal(new URL(page.url()).pathname, '/shop/result')
    await title('주문이 완료되었습니다')
    await who.open('/shop/order')
    await title('주문이 완료되었습니다')
    const made = (await charges()).charges.filter((charge) => charge.orderId?.startsWith(orderNo))
    assert.deepEqual(
      made.map((charge) => charge.balance),
      [amount],
    )
    await who.open('/shop/cart')
    await page.getByText('수박 착즙주스').first().waitFor()
    assert.equal(await page.getByText('배 착즙주스').count(), 0)
  }))

/** Orders a juice and has the payment refused; returns the order's number and its price. */
async function refused(who, name) {
  const { page } = who
  await find(who, name, name)
  await page.getByRole('button', { name: '바로구매' }).click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
  await who.settled()
  if (await page.getByLabel(/^이메일/).isEditable()) await fillSender(who, BUYER)
  await fillAddress(who, { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' })
  const amount = await placeOrder(who)
  await page.getByRole('button', { name: /^거절/ }).click()
  await page.waitForURL(/\/shop\/result\?/)
  await page.getByRole('heading', { level: 1, name: '결제가 완료되지 않았습니다' }).waitFor()
  await page.getByText('카드사 또는 은행에서 결제를 승인하지 않았습니다.').waitFor()
  return { orderNo: await orderNoOn(who), amount }
}

const chargesOf = async (orderNo) =>
  (await charges()).charges.filter((charge) => charge.orderId?.startsWith(orderNo)).map((charge) => charge.balance)

test('a refused payment is paid by another method', () =>
  as(browser, { name: 'refused-guest' }, async (who) => {
    const { page } = who
    await who.open('/')
    const { orderNo, amount } = await refused(who, '배 착즙주스')
    await who.look('거절된 결제')
    await page.getByLabel('다른 결제수단').selectOption({ label: '실시간 계좌이체' })
    await page.getByRole('button', { name: '이 수단으로 결제' }).click()
    await page.waitForURL((url) => url.origin === sandboxUrl)
    await page.getByText('계좌 이체', { exact: true }).waitFor()
    await pay(who, amount)
    assert.equal(await orderNoOn(who), orderNo)
    assert.deepEqual(await chargesOf(orderNo), [amount])
  }))

test('a refused payment leads back to the cart, and the order is cancelled', () =>
  as(browser, { name: 'refused-member' }, async (who) => {
    const { page } = who
    const name = '수박 착즙주스'
    await who.open('/login?next=/')
    await signIn(who, 'shopper09')
    const { orderNo } = await refused(who, name)
    const result = page.url()
    await page.getByRole('button', { name: '장바구니에 다시 담기' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '다시 담기' }).click()
    await page.waitForURL((url) => url.pathname === '/cart')
    await page.getByRole('checkbox', { name: `${name} 선택` }).waitFor()
    await who.look('다시 담은 장바구니')
    await who.open(result)
    await page.getByRole('heading', { level: 1, name: '취소된 주문입니다' }).waitFor()
    assert.deepEqual(await chargesOf(orderNo), [])
    // What is back in the cart can be ordered as usual.
    await who.open('/cart')
    await page.getByRole('button', { name: /개 상품 주문하기$/ }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillAddress(who, { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' })
    await pay(who, await placeOrder(who))
    assert.notEqual(await orderNoOn(who), orderNo)
  }))
