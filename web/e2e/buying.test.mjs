// From the home page to the last event: a member finds a bicycle and juice, pays with a coupon and points, staff ship the order and
// read its whole history.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import {
  act,
  amountIn,
  charges,
  fillAddress,
  find,
  openInConsole,
  orderNoOn,
  pay,
  placeOrder,
  signIn,
} from './steps.mjs'

const BICYCLE = '봄날 시티 바이크'
const JUICE = '사과 착즙주스'
const CARROT = '당근 착즙주스'
const EIGHT = 8
const INVOICE = '640012345678'
const DELAY = '부품이 늦게 도착했습니다'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a member buys, staff ship it, and the log records every step', async () => {
  const bought = await as(browser, { name: 'member' }, buy)
  await as(browser, { name: 'operator' }, (who) => ship(who, bought))
})

async function buy(who) {
  const { page } = who
  await who.open('/')
  await who.look('홈')
  await page.getByRole('navigation', { name: '주 메뉴' }).getByRole('link', { name: '전체 상품' }).click()
  await page.waitForURL('**/shop/products')
  await who.look('상품 목록')

  await find(who, '봄날', BICYCLE)
  await who.look('상품')
  await page.getByRole('button', { name: '민트' }).click()
  await page.getByRole('button', { name: '장바구니', exact: true }).click()
  await page.getByText('장바구니에 담았습니다.').first().waitFor()
  await find(who, JUICE, JUICE)
  await addEightTimes(who)
  await who.open('/shop/cart')
  await isOneLineOfEight(page, JUICE)
  await who.look('비회원 장바구니')

  await page.getByRole('main').getByRole('link', { name: '로그인', exact: true }).click()
  await page.waitForURL(/\/login/)
  await who.look('로그인')
  await signIn(who, 'shopper04')
  await page.waitForURL('**/cart')
  await isOneLineOfEight(page, JUICE)
  await find(who, CARROT, CARROT)
  await addEightTimes(who)
  await who.open('/cart')
  await isOneLineOfEight(page, CARROT)
  await who.look('장바구니')

  await page.getByRole('button', { name: /개 상품 주문하기$/ }).click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
  await fillAddress(who, { postcode: '63122', address: '제주특별자치도 제주시 문연로 6' })
  const button = page.getByRole('button', { name: /결제하기$/ })
  const before = amountIn(await button.innerText())
  const coupon = page.getByLabel('주문 쿠폰')
  await coupon.selectOption({ index: 1 })
  await who.settled()
  const withCoupon = amountIn(await button.innerText())
  assert.ok(withCoupon < before, `the coupon takes something off: ${before} -> ${withCoupon}`)
  await page.getByRole('button', { name: '전액사용' }).click()
  await who.settled()
  const withPoints = amountIn(await button.innerText())
  assert.ok(withPoints < withCoupon, `the points take something off: ${withCoupon} -> ${withPoints}`)
  await who.look('주문서')

  const amount = await placeOrder(who)
  assert.equal(amount, withPoints)
  await pay(who, amount)
  await who.look('주문 결과')
  const orderNo = await orderNoOn(who)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '주문이 완료되었습니다' }).waitFor()
  assert.equal(await orderNoOn(who), orderNo)
  const paid = (await charges()).charges.filter((charge) => charge.orderId?.startsWith(orderNo))
  assert.deepEqual(
    paid.map((charge) => charge.balance),
    [amount],
    'charged once, the amount on the button',
  )

  await page.getByRole('link', { name: '주문 상세' }).click()
  await page.getByText('결제완료').first().waitFor()
  await who.look('주문 상세')
  await who.open('/mypage')
  await who.look('마이페이지')
  await who.open('/mypage/orders')
  await page.getByText(orderNo).waitFor()
  await who.look('내 주문')
  await who.open('/mypage/coupons')
  await who.look('쿠폰함')
  await who.open('/mypage/points')
  await who.look('적립금')
  await who.open('/cart')
  await page.getByText('장바구니가 비어 있습니다').waitFor()
  return { orderNo, amount }
}

/** Clicks as fast as possible: an ignored click would leave fewer. */
async function addEightTimes(who) {
  const add = who.page.getByRole('main').getByRole('button', { name: '장바구니', exact: true })
  for (let i = 0; i < EIGHT; i += 1) await add.click()
  await who.answered()
}

async function isOneLineOfEight(page, name) {
  const line = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await line.first().waitFor()
  assert.equal(await line.count(), 1, `${name} stands in the cart once`)
  assert.equal(await line.getByRole('textbox').inputValue(), String(EIGHT))
}

async function ship(who, { orderNo, amount }) {
  const { page } = who
  await who.open('/console')
  await who.look('콘솔 문')
  await who.open('/login?next=/console/dashboard')
  await signIn(who, 'operator')
  await page.waitForURL('**/console/dashboard')
  await who.look('대시보드')
  await who.open(`/console/shop/purchases/payment`)
  await who.look('결제완료 목록')
  await openInConsole(who, orderNo)
  await who.look('주문 결제완료')

  // Not an entry of the history, which also names the products and is shown alone while the page loads.
  const goods = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasNot: page.locator('summary') })
  const bicycle = goods.filter({ hasText: BICYCLE }).first()
  await act(who, bicycle, '준비 처리')
  await act(who, bicycle, '배송 지연', (dialog) => dialog.getByLabel(/사유/).fill(DELAY))
  await act(who, bicycle, '송장 등록', async (dialog) => {
    await dialog.getByLabel(/택배사/).selectOption({ index: 1 })
    const number = dialog.getByLabel(/송장번호/)
    // A refused row stays in the form with the reason, and an accidental Escape discards nothing.
    await number.fill('송장번호는 숫자입니다 #1')
    await number.press('Enter')
    await dialog.getByRole('alert').first().waitFor()
    who.wasRefused(400)
    await who.look('거절된 송장번호')
    assert.equal(await number.inputValue(), '송장번호는 숫자입니다 #1')
    assert.equal(await number.getAttribute('aria-invalid'), 'true')
    await number.fill(INVOICE)
    await number.press('Escape')
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await question.getByRole('button', { name: '아니요', exact: true }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await number.inputValue(), INVOICE)
  })
  await act(who, bicycle, '배송완료')
  await bicycle.getByText('배송완료').first().waitFor()
  await page.reload()
  await who.look('주문 배송완료')

  const events = await historyTellsAll(who)
  const payment = events.find((event) => event.type === 'OrderPaid')
  await sliderGoesBack(who, { bicycle, amount, payment })
}

/**
 * The panel shows every event the server knows with its time, its actor, and the reason and cause if present.
 * Returns the events.
 */
async function historyTellsAll({ page }) {
  // The body of a response to the previous page is discarded with that page.
  await page.reload({ waitUntil: 'commit' })
  const answer = await page.waitForResponse((one) => /\/orders\/[^/]+\/history$/.test(new URL(one.url()).pathname))
  const { events } = await answer.json()
  await page.getByRole('heading', { name: '기록', exact: true }).waitFor()
  const items = page.locator('main li:has(summary):not(:has(li))')
  await page.waitForFunction(
    (count) => document.querySelectorAll('main li:has(summary):not(:has(li))').length === count,
    events.length,
  )
  const shown = await items.allInnerTexts()
  const kinds = new Set(events.map((event) => event.stream.kind))
  for (const kind of ['order', 'payment', 'stock', 'points', 'issued-coupon'])
    assert.ok(kinds.has(kind), `events of ${kind}: ${[...kinds]}`)
  for (const word of ['OrderPlaced', 'PaymentApproved', 'OrderPaid', 'PurchaseShipped', 'PurchaseDelivered'])
    assert.ok(
      events.some((event) => event.type === word),
      `${word} among ${events.map((event) => event.type).join(' ')}`,
    )
  const newestFirst = [...events].sort((a, b) => b.position - a.position)
  newestFirst.forEach((event, i) => {
    const text = shown[i]
    assert.ok(event.title && text.includes(event.title), `${event.type} is told: ${text}`)
    assert.match(text, /\d{2}:\d{2}:\d{2}/, `${event.type} says when`)
    assert.match(text, /회원|운영자|비회원|자동 처리|외부 서비스|시스템/, `${event.type} says who`)
    assert.match(text, /(원인|작업): \S+/, `${event.type} says because of what`)
    if (event.reason) assert.ok(text.includes(event.reason), `${event.type} says why`)
  })
  assert.ok(
    shown.some((text) => text.includes(DELAY)),
    'the reason of the delay is shown',
  )
  assert.ok(
    shown.some((text) => /\S+ \(운영자\)/.test(text)),
    'the operator is named',
  )
  return events
}

/** Time travel to the payment: paid, not shipped, no invoice number, no buttons. And forward again. */
async function sliderGoesBack(who, { bicycle, amount, payment }) {
  const { page } = who
  const slider = page.getByRole('slider')
  await slider.focus()
  await slider.press('End')
  const stop = async () => (await slider.getAttribute('aria-valuetext')) ?? ''
  const paid = async () => (await stop()).startsWith('결제가 완료되었습니다')
  for (let i = 0; i < 60 && !(await paid()); i += 1) {
    const before = await stop()
    await slider.press('ArrowLeft')
    // On a busy machine the next position is rendered a little later.
    for (let look = 0; look < 250 && (await stop()) === before; look += 1) await page.waitForTimeout(20)
  }
  assert.ok(await paid(), `a stop at the payment: ${await stop()}`)
  // The slider shows its position before the page has rendered it.
  await page.waitForURL((url) => url.searchParams.get('position') === String(payment.position))
  await who.settled()
  await bicycle.getByText('결제완료').first().waitFor()
  const text = await bicycle.innerText()
  assert.ok(!text.includes(INVOICE), 'no invoice number yet')
  assert.ok(!/배송완료/.test(text), 'not delivered yet')
  const acts = bicycle.getByRole('button').filter({ hasNotText: '설명' })
  assert.deepEqual(await acts.allInnerTexts(), [], 'the past cannot be acted on')
  const shownAmount = await page.getByText('결제금액', { exact: true }).last().locator('xpath=..').innerText()
  assert.equal(amountIn(shownAmount), amount)
  await who.look('당시의 주문')
  await page.getByRole('button', { name: '지금 보기' }).click()
  await page.getByText(INVOICE).first().waitFor()
}
