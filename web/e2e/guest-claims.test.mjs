// A guest returns one of two pieces and exchanges goods for another option, with nothing but the order's number and the phone: the shopper
// on a phone, the seller and staff in the console, and the money in the payment service.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import {
  applyForExchange,
  approveReturn,
  buyPieces,
  deliver,
  factsOn,
  fillReturn,
  inspect,
  lineOf,
  openOrder,
  PICKUP_INVOICE,
  PICTURE,
  parcel,
  payExchange,
  pictureIsShown,
  REPLACEMENT_INVOICE,
  refundOn,
} from './claim-steps.mjs'
import { act, amountIn, balanceOf } from './steps.mjs'

const GUEST = { name: '나그네', phone: '010-5555-6666', email: 'guest@example.com' }
const SELLER = 'freshpress'
const JUICE = { name: '배 착즙주스' }
const BIKE = { name: '도심 하이브리드', option: '회색', other: '하양', seller: 'namsan' }
/** Addresses that a guest's page does not lead to: they ask for a login. */
const MEMBERS = /^\/(login|mypage\/(?!orders\/(cancel|return|exchange)-))/

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const asGuest = (name, steps) => as(browser, { name, screen: PHONE }, steps)
const buy = (name, count, goods) =>
  asGuest(name, async (who) => {
    await who.open('/')
    const bought = await buyPieces(who, count, goods, { sender: GUEST })
    return { ...bought, order: new URL(who.page.url()).searchParams.get('order') }
  })

/** Finds the order with its number and phone; a wrong phone first. */
async function lookUp(who, orderNo) {
  const { page } = who
  await page.getByRole('heading', { level: 1, name: '비회원 주문조회' }).waitFor()
  await page.getByLabel('주문번호').fill(orderNo)
  await page.getByLabel('휴대폰 번호').fill('010-0000-0000')
  await page.getByRole('button', { name: '조회하기' }).click()
  await page.getByRole('alert').filter({ hasText: '일치하는 주문이 없습니다' }).waitFor()
  who.wasRefused(404)
  await page.getByLabel('휴대폰 번호').fill(GUEST.phone)
  await page.getByRole('button', { name: '조회하기' }).click()
  await page.getByText(orderNo).first().waitFor()
  await isGuests(who)
}

/** The page leads to nothing that asks for a login. */
async function isGuests({ page }) {
  const links = page.getByRole('main').locator('a[href]')
  const paths = await links.evaluateAll((all) => all.map(({ href }) => new URL(href).pathname))
  assert.deepEqual(
    paths.filter((path) => MEMBERS.test(path)),
    [],
    page.url(),
  )
}

/** Checks the page, and that it is a guest's. */
async function look(who, title) {
  await who.look(title)
  await isGuests(who)
}

/** Goes back to the application after it was sent, and forward again: nothing can be applied for twice. */
async function isSentOnce(who, kind) {
  const { page } = who
  const application = page.url()
  await page.reload()
  await page.getByText(`이미 ${kind} 신청했습니다`).waitFor()
  await look(who, '이미 신청함')
  await page.getByRole('link', { name: '신청 내역 보기' }).click()
  await page.getByRole('button', { name: '신청 철회' }).waitFor()
  await page.goBack()
  await page.getByText(`이미 ${kind} 신청했습니다`).waitFor()
  assert.equal(page.url(), application)
  await page.goForward()
  await page.getByRole('button', { name: '신청 철회' }).waitFor()
}

test('a guest returns one of two pieces: found by number and phone, picked up, inspected, refunded', async () => {
  const { orderNo, paid } = await buy('guest-piece-buyer', 2, JUICE)
  await as(browser, { name: 'guest-piece-seller' }, async (who) => {
    await openOrder(who, SELLER, 'payment', orderNo)
    await deliver(who, JUICE.name)
  })

  const { refund, detail } = await asGuest('guest-returner', async (who) => {
    const { page } = who
    await who.open('/shop/lookup')
    await lookUp(who, orderNo)
    await look(who, '배송된 주문')
    const refund = await fillReturn(who, 2, [PICTURE])
    assert.ok(refund > 0 && refund < paid / 2, `a half less the way back: ${refund} of ${paid}`)
    await isGuests(who)
    const sent = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: '반품 신청하기' }).dblclick()
    await page.getByRole('heading', { level: 2, name: '반품을 신청했습니다' }).waitFor()
    await who.answered()
    assert.equal(sent.filter((path) => path.endsWith('/return')).length, 1, 'pressed twice, sent once')
    assert.equal(amountIn(await page.getByText(/^환불 예정 금액/).innerText()), refund)
    await look(who, '반품 신청 결과')
    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 1, name: '반품 상세' }).waitFor()
    await pictureIsShown(page, '사진 1')
    assert.equal(await refundOn(who), refund)
    await look(who, '반품 상세')
    const detail = page.url()
    await page.reload()
    await page.getByRole('heading', { level: 2, name: '상품 사진' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    await page.waitForURL(/\/shop\/lookup/)
    // The other piece can still be returned: its application is another one.
    await page.getByText('반품요청').first().waitFor()
    assert.equal(await page.getByRole('link', { name: '반품신청' }).count(), 1)
    await look(who, '한 개를 반품하는 주문')
    return { refund, detail }
  })

  await as(browser, { name: 'guest-piece-inspector' }, async (who) => {
    const { page } = who
    await openOrder(who, SELLER, 'return', orderNo)
    const line = lineOf(who, '반품요청')
    await inspect(who, line)
    await approveReturn(who, line, refund)
    await page.reload()
    await page.getByText('반품완료').first().waitFor()
    await who.look('비회원의 반품')
  })
  assert.equal(await balanceOf(orderNo, paid - refund), paid - refund)

  // On another phone, from the address of the claim: the look-up leads to it.
  await asGuest('guest-refunded', async (who) => {
    const { page } = who
    await who.open('/shop/lookup')
    await lookUp(who, orderNo)
    await page.getByText('반품완료').first().waitFor()
    await page
      .getByText(/환불 \$/)
      .first()
      .waitFor()
    await look(who, '환불된 주문')
    await page.getByRole('link', { name: '반품 상세' }).first().click()
    await page.getByRole('heading', { level: 2, name: '환불 내역' }).waitFor()
    assert.equal(page.url(), detail)
    assert.equal(await refundOn(who), refund)
    await page.getByText(PICKUP_INVOICE).waitFor()
    await look(who, '완료된 반품')
  })
})

test('a guest exchanges for another option: the fee is paid on the phone, the replacement delivered', async () => {
  const { orderNo } = await buy('guest-exchange-buyer', 1, BIKE)
  await as(browser, { name: 'guest-exchange-sender' }, async (who) => {
    await openOrder(who, BIKE.seller, 'payment', orderNo)
    await deliver(who, BIKE.name)
  })

  const fee = await asGuest('guest-exchanger', async (who) => {
    await who.open('/shop/lookup')
    await lookUp(who, orderNo)
    const { fee, price } = await applyForExchange(who, BIKE.other, '사이즈나 색상이 맞지 않아요')
    assert.equal(price, 0)
    await isGuests(who)
    await isSentOnce(who, '교환을')
    await look(who, '교환 상세')
    return fee
  })

  await as(browser, { name: 'guest-exchange-inspector' }, async (who) => {
    await openOrder(who, BIKE.seller, 'exchange', orderNo)
    const line = lineOf(who, BIKE.name)
    await act(who, line, '교환 승인')
    await inspect(who, line)
    await line.getByRole('button', { name: '교환 거부' }).waitFor()
    assert.equal(await line.getByRole('button', { name: '교환 상품 발송' }).count(), 0)
  })

  await asGuest('guest-payer', async (who) => {
    const { page } = who
    await who.open('/shop/lookup')
    await lookUp(who, orderNo)
    await page.getByText(/결제 대기\. 결제되면/).waitFor()
    await look(who, '교환 배송비를 기다리는 주문')
    // Refused by the card first, then paid.
    await page.getByRole('button', { name: /^교환 배송비 .* 결제$/ }).click()
    await page.getByRole('button', { name: /^거절/ }).click()
    await page.getByRole('heading', { level: 1, name: '교환 배송비가 결제되지 않았습니다' }).waitFor()
    await look(who, '거절된 교환 배송비')
    await page.reload()
    await payExchange(who, '교환 배송비', fee)
    await look(who, '결제한 교환 배송비')
    await page.reload()
    await page.getByRole('link', { name: '교환 상세' }).click()
    await page.getByText('결제 완료 (신용·체크카드)').waitFor()
    assert.equal(await page.getByRole('button', { name: /^교환 배송비/ }).count(), 0)
    await look(who, '배송비를 결제한 교환')
  })
  assert.equal(await balanceOf(`${orderNo}-F1`, fee), fee)

  await as(browser, { name: 'guest-exchange-replacer' }, async (who) => {
    const { page } = who
    await openOrder(who, BIKE.seller, 'exchange', orderNo)
    const line = lineOf(who, BIKE.name)
    await act(who, line, '교환 상품 발송', parcel(REPLACEMENT_INVOICE))
    await act(who, line, '교환 배송완료')
    await page.getByText('교환완료').first().waitFor()
    await who.look('비회원의 교환')
  })

  await asGuest('guest-exchanged', async (who) => {
    const { page } = who
    await who.open('/shop/lookup')
    await lookUp(who, orderNo)
    await page.getByText('교환완료').first().waitFor()
    await page.getByText(`${BIKE.other} · 1개`).first().waitFor()
    const methods = page.getByText('신용·체크카드', { exact: true })
    const lines = await methods.evaluateAll((all) => all.map((one) => one.getClientRects().length))
    assert.deepEqual(lines, [1, 1], 'the methods of both payments, each on one line')
    await look(who, '교환한 주문')
    await page.getByRole('link', { name: '교환 상세' }).first().click()
    await page.getByText(REPLACEMENT_INVOICE).waitFor()
    assert.equal(amountIn(await factsOn(who, /^교환 배송비$/).innerText()), fee)
    await page.getByText(`${BIKE.name} · ${BIKE.other} · 1개`).first().waitFor()
    await look(who, '완료된 교환')
  })
})
