// A coupon for gold members' birthday month, for bicycles, 10% up to $30, not with others: staff make it and see whom it reaches; a member
// born this month finds it, is offered it on the order sheet, uses it, returns the goods, and has it back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { parcel } from './claim-steps.mjs'
import { act, amountIn, fillAddress, find, openInConsole, orderNoOn, pay, placeOrder, signIn } from './steps.mjs'

const COUPON = '골드 생일 달 자전거'
const BIKE = '봄날 시티 바이크'
const MEMBER = 'shopper10'
const SEOUL = { postcode: '04524', address: '서울특별시 중구 세종대로 110' }
/** Seconds until the worker has issued the coupons of a day. */
const ISSUED_WITHIN = 120

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Another day of this month in Seoul than today, as a birthday without a year. */
function dayOfThisMonth() {
  const [, month, day] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul' }).format(new Date()).split('-')
  return `${month}-${day === '01' ? '28' : '01'}`
}

/** The last day of this month in Seoul, as dates are shown. */
function lastOfThisMonth() {
  const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul' }).format(new Date()).split('-')
  return `${year}. ${month}. ${new Date(Date.UTC(year, month, 0)).getUTCDate()}.`
}

test('a coupon for the birthday month is made, found, used, and had back after the return', async () => {
  await as(browser, { name: 'birthday-member' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/myinfo')
    await signIn(who, MEMBER)
    await page.getByLabel(/^생일/).fill(dayOfThisMonth())
    await page.getByRole('main').getByRole('button', { name: '저장', exact: true }).click()
    await page.getByText('내 정보를 저장했습니다.').first().waitFor()
  })

  await as(browser, { name: 'birthday-staff' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/coupons?id=new')
    await signIn(who, 'operator')
    await page.getByLabel(/^쿠폰명/).fill(COUPON)
    await page.getByLabel(/^적용 대상/).selectOption('product')
    await page.getByLabel(/^할인 단위/).selectOption('PERCENT')
    await page.getByLabel(/^할인값/).fill('10')
    await page.getByLabel(/^최대 할인 금액/).fill('30')
    await page.getByLabel(/^발급 방식/).selectOption('instant')
    await page.getByLabel(/^발급 조건/).selectOption('SPECIAL_DATE')
    await page.getByRole('radio', { name: '생일 달' }).check()
    await page.getByLabel(/^발급 대상/).selectOption('USER_LEVELS')
    await page.getByRole('checkbox', { name: '골드' }).check()
    await page.getByRole('checkbox', { name: '발급 사용' }).check()
    await page.getByLabel(/^사용 대상/).selectOption('CATEGORIES')
    await page.getByRole('checkbox', { name: '자전거', exact: true }).check()
    await page.getByRole('checkbox', { name: '사용 가능' }).check()
    await page.getByRole('checkbox', { name: '함께 사용' }).uncheck()
    await page
      .getByText(
        /^골드 회원이 생일 달에 받아 자전거 카테고리 상품 하나에서 10% 할인, 최대 \$30, 다른 쿠폰과 함께 쓸 수 없음/,
      )
      .waitFor()
    await page.getByText(/^지금 기준으로 \d+명이 받을 수 있습니다\.$/).waitFor()
    // The reach of a coupon that is not complete yet is refused.
    await who.answered()
    while (who.faults.some((fault) => fault.includes('/reach'))) who.wasRefused(400)
    await who.look('쿠폰 만들기')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await who.answered()
    await who.open('/console/shop/coupons')
    await page.getByRole('main').getByRole('link', { name: COUPON }).first().waitFor()
    await who.look('쿠폰 목록')
  })

  const orderNo = await as(browser, { name: 'birthday-buyer' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/coupons')
    await signIn(who, MEMBER)
    const until = Date.now() + ISSUED_WITHIN * 1000
    const heading = page.getByRole('heading', { name: COUPON })
    for (;;) {
      await who.open('/mypage/coupons')
      if ((await heading.count()) > 0) break
      assert.ok(Date.now() < until, 'the coupon of the day is issued')
      await page.waitForTimeout(2_000)
    }
    await page.getByText('쓸 수 있는 곳: 자전거').waitFor()
    // Valid until the month ends.
    const boxed = page.getByRole('listitem').filter({ has: heading })
    await boxed.getByText(lastOfThisMonth()).waitFor()
    await who.look('생일 쿠폰')
    await find(who, '봄날', BIKE)
    await page.getByRole('region', { name: '쓸 수 있는 쿠폰' }).getByText(COUPON).waitFor()
    await page.getByText(/구매를 확정하면 \$[\d.,]+가 적립됩니다/).waitFor()
    await who.look('상품에 쓸 수 있는 쿠폰')
    await page.getByRole('button', { name: '민트' }).click()
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await who.settled()
    const coupons = page.getByLabel(/^상품 쿠폰/).first()
    const mine = coupons.locator('option', { hasText: COUPON })
    const off = -amountIn(await mine.innerText())
    assert.ok(off > 0 && off <= 30_00, `at most $30: ${off}`)
    await coupons.selectOption(await mine.getAttribute('value'))
    await fillAddress(who, SEOUL)
    const sum = page.getByRole('complementary', { name: '결제금액' })
    const row = sum.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^상품 쿠폰$/ }) })
    assert.equal(amountIn(await row.innerText()), -off)
    await who.look('생일 쿠폰을 쓴 주문서')
    const paid = await placeOrder(who)
    await pay(who, paid)
    const orderNo = await orderNoOn(who)
    await who.open('/mypage/coupons/used')
    await page.getByRole('heading', { name: COUPON }).waitFor()
    return orderNo
  })

  await as(browser, { name: 'birthday-seller' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/payment')
    await signIn(who, 'hangang')
    await page.waitForURL('**/console/shop/purchases/payment')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BIKE }).first()
    await act(who, line, '준비 처리')
    await act(who, line, '송장 등록', parcel('640087650001'))
    await act(who, line, '배송완료')
    await line.getByText('배송완료').first().waitFor()
  })
  await as(browser, { name: 'birthday-returner' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, MEMBER)
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await page.getByRole('link', { name: '반품신청' }).first().click()
    await page.getByRole('heading', { level: 1, name: '반품 신청' }).waitFor()
    await page.getByRole('radio', { name: '마음이 바뀌었어요' }).check()
    await page.getByText('환불 금액', { exact: true }).waitFor()
    await who.answered()
    await who.look('쿠폰을 쓴 상품의 반품')
    await page.getByRole('button', { name: '반품 신청하기' }).click()
    await page.getByRole('heading', { level: 2, name: '반품을 신청했습니다' }).waitFor()
  })
  await as(browser, { name: 'birthday-approver' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/return')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/return')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: '반품요청' }).first()
    await act(who, line, '수거 처리', parcel('640011110001'))
    await act(who, line, '검수', () => undefined, { name: '검수 완료' })
    const isShown = (dialog) => dialog.getByText('환불 금액', { exact: true }).waitFor()
    await act(who, line, '반품 승인', isShown, { name: /환불하고 반품 승인$/ })
    await page.reload()
    await page.getByText('반품완료').first().waitFor()
  })
  await as(browser, { name: 'birthday-again' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/coupons')
    await signIn(who, MEMBER)
    await page.getByRole('heading', { name: COUPON }).waitFor()
    await who.look('돌려받은 쿠폰')
  })
})
