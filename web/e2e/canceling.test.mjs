// A paid order is cancelled: the money is refunded, and the log records the actor and the reason.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { amountIn, balanceOf, fillAddress, find, orderNoOn, pay, placeOrder, signIn } from './steps.mjs'

const REASON = '색이 생각과 달라요'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a cancelled order is refunded', async () => {
  const orderNo = await as(browser, { name: 'canceler' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, 'shopper05')
    await find(who, '접이식', '접이식 미니벨로 16')
    await page.getByRole('button', { name: '빨강' }).click()
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillAddress(who, { postcode: '35242', address: '대전광역시 서구 둔산로 100' })
    const paid = await placeOrder(who)
    await pay(who, paid)
    const bought = await orderNoOn(who)
    await page.getByRole('link', { name: '주문 상세' }).click()
    await page.getByRole('link', { name: '주문취소' }).click()
    await page.getByRole('heading', { level: 1, name: '주문 취소' }).waitFor()
    await page.getByRole('radio', { name: '직접 입력' }).check()
    await page.getByLabel('사유', { exact: true }).fill(REASON)
    // the refund is shown before anything is confirmed
    await page.getByText('환불 금액', { exact: true }).waitFor()
    const rows = Object.fromEntries(
      await page
        .locator('dl > div:has(> dt)')
        .evaluateAll((all) => all.map((row) => [...row.children].slice(0, 2).map((one) => one.textContent))),
    )
    const fare = Object.keys(rows).find((name) => name.startsWith('배송비 · '))
    assert.ok(fare, `a row of the fare: ${JSON.stringify(rows)}`)
    const goods = Object.keys(rows).find((name) => name.startsWith('접이식 미니벨로 16 · 빨강'))
    assert.equal(amountIn(rows['환불 금액']), paid, 'all of it comes back')
    assert.equal(amountIn(rows[goods]) + amountIn(rows[fare]), paid, 'goods and fare are what was paid')
    await who.look('취소 신청')
    const sent = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: '취소하기' }).dblclick()
    await page.getByRole('heading', { level: 2, name: '취소했습니다' }).waitFor()
    await who.answered()
    const cancels = sent.filter((path) => path.endsWith('/cancel'))
    assert.equal(cancels.length, 1, 'a cancel pressed twice is sent once')
    await who.look('취소 결과')
    assert.equal(await balanceOf(bought, 0), 0)
    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    await page.waitForURL(/\/orders-detail/)
    await page.reload()
    await page
      .getByText(/환불 \$/)
      .first()
      .waitFor()
    await who.look('취소된 주문')
    await page.getByRole('link', { name: '취소 상세' }).first().click()
    await page.getByRole('heading', { level: 2, name: '환불 내역' }).waitFor()
    await who.look('취소 상세')
    return bought
  })
  await as(browser, { name: 'operator-cancel' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/cancel')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/cancel')
    await who.look('취소 목록')
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${orderNo}`) })
      .first()
      .click()
    await page.getByRole('heading', { name: '기록', exact: true }).waitFor()
    const history = page.locator('main li:has(summary):not(:has(li))')
    const asked = history.filter({ hasText: '취소' }).filter({ hasText: '(회원)' }).first()
    await asked.waitFor()
    const said = page.getByRole('main').getByText(REASON)
    await said.first().waitFor()
    assert.equal(
      await history.filter({ hasText: REASON }).count(),
      0,
      "the buyer's own words are sealed in the history",
    )
    await history.filter({ hasText: /환불/ }).first().waitFor()
    assert.ok((await history.getByRole('link').count()) > 0, 'the refund leads to the event that caused it')
    await who.look('취소된 주문의 기록')
  })
})
