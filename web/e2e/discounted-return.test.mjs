// A member returns an order that a coupon and points were used on, one of five pieces and then the rest: each preview is what comes back,
// in money to the payment service, in points and, with the last piece, the coupon.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import {
  approveReturn,
  buyPieces,
  deliver,
  factsOn,
  fillReturn,
  inspect,
  lineOf,
  ofOrder,
  openOrder,
  refundOn,
} from './claim-steps.mjs'
import { amountIn, balanceOf, signIn } from './steps.mjs'

const MEMBER = 'shopper12'
const JUICE = { name: '배 착즙주스' }
const SELLER = 'freshpress'
const PIECES = 5
const POINTS = 5_00

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const asMember = (name, next, steps) =>
  as(browser, { name, screen: PHONE }, async (who) => {
    await who.open(`/login?next=${next}`)
    await signIn(who, MEMBER)
    return steps(who)
  })

/** The amount of a fact; 0 if the page does not have it. */
async function amountOf(who, name, part) {
  const [text] = await factsOn(who, name, part).locator('dd:first-of-type').allInnerTexts()
  return text ? amountIn(text) : 0
}

/** Uses a coupon and points on the order sheet; returns the coupon's name, and what both take off. */
async function discount(who) {
  const { page } = who
  const button = page.getByRole('button', { name: /결제하기$/ })
  await who.settled()
  const before = amountIn(await button.innerText())
  const coupons = page.getByLabel('주문 쿠폰')
  await coupons.selectOption({ index: 1 })
  await who.settled()
  const off = before - amountIn(await button.innerText())
  assert.ok(off > 0, 'the coupon takes something off')
  const [name] = (await coupons.locator('option:checked').innerText()).split(/ [(·-]/)
  const points = page.getByLabel('쓸 적립금')
  await points.fill((POINTS / 100).toFixed(2))
  await points.press('Enter')
  await who.settled()
  assert.equal(amountIn(await button.innerText()), before - off - POINTS)
  await who.look('쿠폰과 적립금을 쓴 주문서')
  return { name, off }
}

/** The preview on the application: goods and fares less fees are the money that comes back. */
async function previewOn(who) {
  const { page } = who
  const rows = await page.locator('dl > div:has(> dt)').evaluateAll((all) =>
    all.map(({ children: [name, value, reason] }) => ({
      name: name.textContent,
      value: value.textContent,
      reason: reason?.textContent,
      below: value.getBoundingClientRect().top - name.getBoundingClientRect().top,
    })),
  )
  assert.deepEqual(
    rows.filter(({ below }) => below > 8),
    [],
    'each amount stands beside the first line of its name',
  )
  const total = rows.findIndex(({ name }) => name === '환불 금액')
  const sum = rows.slice(0, total).reduce((all, { value }) => all + amountIn(value), 0)
  const refund = amountIn(rows[total].value)
  assert.equal(refund, sum, JSON.stringify(rows))
  return {
    refund,
    points: await amountOf(who, /^적립금 반환$/),
    coupon: rows.find(({ name }) => name.startsWith('쿠폰 · ')),
  }
}

/** Sends the application that is filled in; its result and its page say what the preview said. */
async function send(who, { refund, points }) {
  const { page } = who
  await page.getByRole('button', { name: '반품 신청하기' }).click()
  await page.getByRole('heading', { level: 2, name: '반품을 신청했습니다' }).waitFor()
  assert.equal(amountIn(await page.getByText(/^환불 예정 금액/).innerText()), refund)
  await page.getByRole('link', { name: '신청 내역 보기' }).click()
  await page.getByRole('heading', { level: 2, name: '환불 예정 내역' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 2, name: '환불 예정 내역' }).waitFor()
  assert.equal(await refundOn(who), refund)
  assert.equal(await amountOf(who, /^적립금 반환$/), points)
}

/** The seller takes the goods back, and sees the same money and points before it is approved. */
const takeBack = (name, orderNo, { refund, points }) =>
  as(browser, { name }, async (who) => {
    await openOrder(who, SELLER, 'return', orderNo)
    const line = lineOf(who, '반품요청')
    await inspect(who, line)
    await approveReturn(who, line, refund, async (dialog) => {
      assert.equal(await amountOf(who, /^적립금 반환$/, dialog), points)
      await who.look('쿠폰과 적립금을 쓴 반품 승인')
    })
  })

/** What the member has to spend, and the points that came for an order, oldest first. */
async function pointsOn(who, orderNo) {
  const { page } = who
  await who.open('/mypage/points')
  const back = ofOrder(who, orderNo).getByText(/^\+\$/)
  return {
    available: await amountOf(who, /^사용가능$/),
    back: (await back.allInnerTexts()).map(amountIn).reverse(),
    orderLink: page.getByRole('link', { name: orderNo }).first(),
  }
}

test('an order with a coupon and points is returned by pieces: each preview is what comes back', async () => {
  const { orderNo, paid, name, available } = await asMember('discounted-buyer', '/', async (who) => {
    const { available } = await pointsOn(who, '')
    let used
    const bought = await buyPieces(who, PIECES, JUICE, {
      discounted: async () => {
        used = await discount(who)
      },
    })
    return { ...bought, ...used, available }
  })
  await as(browser, { name: 'discounted-sender' }, async (who) => {
    await openOrder(who, SELLER, 'payment', orderNo)
    await deliver(who, JUICE.name)
  })

  const first = await asMember('discounted-returner', '/mypage/orders', async (who) => {
    const { page } = who
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await fillReturn(who, PIECES)
    const preview = await previewOn(who)
    assert.equal(preview.coupon.name, `쿠폰 · ${name}`)
    assert.equal(preview.coupon.value, '돌아가지 않습니다')
    assert.equal(preview.coupon.reason, '쿠폰을 적용한 다른 상품이 남아 있습니다.')
    assert.ok(preview.points > 0 && preview.points < POINTS / 2, `about a fifth of the points: ${preview.points}`)
    await send(who, preview)
    await who.look('쿠폰과 적립금을 쓴 반품')
    return preview
  })
  await takeBack('discounted-seller', orderNo, first)
  assert.equal(await balanceOf(orderNo, paid - first.refund), paid - first.refund)

  const rest = await asMember('discounted-again', '/mypage/orders', async (who) => {
    const { page } = who
    const points = await pointsOn(who, orderNo)
    assert.deepEqual(points.back, [first.points])
    assert.equal(points.available, available - POINTS + first.points)
    await who.look('돌려받은 적립금')
    await who.open('/mypage/coupons/used')
    await page.getByRole('heading', { name }).waitFor()
    await page.goBack()
    await points.orderLink.click()
    await page.getByRole('heading', { level: 1, name: '주문 상세' }).waitFor()
    await page.getByText('반품완료').first().waitFor()
    await fillReturn(who, 1)
    const preview = await previewOn(who)
    assert.equal(preview.coupon.name, `쿠폰 · ${name}`)
    assert.equal(preview.coupon.value, '쿠폰함으로 돌아갑니다')
    await send(who, preview)
    return preview
  })
  await takeBack('discounted-seller-again', orderNo, rest)
  const left = paid - first.refund - rest.refund
  assert.equal(await balanceOf(orderNo, left), left)

  await asMember('discounted-refunded', '/mypage/orders/return', async (who) => {
    const { page } = who
    await page.getByText(orderNo).first().waitFor()
    await who.look('쿠폰과 적립금을 쓴 반품 내역')
    const points = await pointsOn(who, orderNo)
    assert.deepEqual(points.back, [first.points, rest.points])
    assert.equal(points.available, available - POINTS + first.points + rest.points)
    await who.open('/mypage/coupons')
    await page.getByRole('heading', { name }).first().waitFor()
    await who.look('돌려받은 쿠폰')
    await who.open('/mypage/coupons/used')
    await who.settled()
    assert.equal(await page.getByRole('heading', { name }).count(), 0, 'used no more')
  })
})
