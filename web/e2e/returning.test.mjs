// Buying as people do it: with the browser's back, forward and reload in every step, a second look at the cart, and a payment window
// that is left by its back button. Nothing typed is lost, nothing is ordered or charged twice.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, sandboxUrl } from './browser.mjs'
import { charges, fillAddress, fillSender, find, orderNoOn, pay, placeOrder } from './steps.mjs'

let browser
before(async () => {
  // As everybody's browser: it keeps a page that is left as it stood. Playwright's own way is to keep none.
  browser = await openBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
})
after(() => browser?.close())

const BUYER = { name: '김하늘', phone: '01044445555', email: 'sky@example.com' }
const DETAILS = '101동 1001호'

test('back, forward and reload lose nothing and buy nothing twice', () =>
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

    // Playwright's own `goBack` loses sight of pages that are kept.
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
    // The order sheet one comes back to asks for a price, and hears that its lines are ordered.
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
    // Back past the payment window, to the page that stood there before the payment: it knows better now.
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
