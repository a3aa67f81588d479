// Codes on paper: staff make a coupon that is not on display and five codes for it; a member redeems one, another is refused the same
// code, the first orders with the coupon, and staff see who redeemed it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { amountIn, fillAddress, find, pay, placeOrder, signIn } from './steps.mjs'

const COUPON = '전단지 쿠폰'
const CODE = /^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/
const BIKE = '봄날 시티 바이크'
const SEOUL = { postcode: '04524', address: '서울특별시 중구 세종대로 110' }

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a code from paper is redeemed once, and its coupon pays for an order', async () => {
  const code = await as(browser, { name: 'codes-staff' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/coupons?id=new')
    await signIn(who, 'operator')
    await page.getByLabel(/^쿠폰명/).fill(COUPON)
    await page.getByLabel(/^적용 대상/).selectOption('total')
    await page.getByLabel(/^할인 단위/).selectOption('PERCENT')
    await page.getByLabel(/^할인값/).fill('10')
    await page.getByRole('checkbox', { name: '발급 사용' }).check()
    await page.getByRole('checkbox', { name: '사용 가능' }).check()
    await page.getByRole('checkbox', { name: '쇼핑몰 노출' }).uncheck()
    await who.answered()
    while (who.faults.some((fault) => fault.includes('/reach'))) who.wasRefused(400)
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await who.answered()
    await who.open('/console/shop/coupons')
    const href = await page.getByRole('main').getByRole('link', { name: COUPON }).first().getAttribute('href')
    const coupon = new URL(href, page.url()).searchParams.get('id')
    await who.open(`/console/shop/coupon-codes?_coupon=${coupon}`)
    await page.getByRole('button', { name: '코드 만들기' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^코드 수/).fill('5')
    await dialog.getByLabel(/^용도/).fill('가을 전단지')
    await who.look('쿠폰 코드 만들기')
    await dialog.getByRole('button', { name: '코드 만들기' }).click()
    await page.getByRole('heading', { level: 1, name: '가을 전단지' }).waitFor()
    await who.settled()
    const codes = page.getByRole('cell', { name: CODE })
    await codes.first().waitFor()
    assert.equal(await codes.count(), 5)
    const first = await codes.first().innerText()
    await who.look('쿠폰 코드')
    await page.getByRole('link', { name: '인쇄' }).click()
    await page.getByRole('button', { name: '5개 인쇄' }).waitFor()
    await who.look('쿠폰 코드 인쇄')
    return first
  })

  await as(browser, { name: 'codes-member' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/coupons')
    await signIn(who, 'shopper11')
    await who.settled()
    const field = page.getByLabel('쿠폰 코드')
    // A typing error has a message of its own.
    await field.fill(`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`)
    await page.getByRole('button', { name: '등록', exact: true }).click()
    await page.getByText(/^쿠폰 코드를 잘못 입력했습니다/).waitFor()
    who.wasRefused(400)
    await field.fill(code.toLowerCase())
    await who.look('쿠폰 코드 등록')
    await field.press('Enter')
    await page.getByRole('heading', { name: COUPON }).waitFor()
    await who.look('코드로 받은 쿠폰')
  })

  await as(browser, { name: 'codes-second' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/coupons')
    await signIn(who, 'shopper12')
    await who.settled()
    await page.getByLabel('쿠폰 코드').fill(code)
    await page.getByRole('button', { name: '등록', exact: true }).click()
    await page.getByText(/^사용할 수 없는 쿠폰 코드입니다/).waitFor()
    who.wasRefused(400)
    await who.look('이미 등록한 코드')
    assert.equal(await page.getByRole('heading', { name: COUPON }).count(), 0)
  })

  await as(browser, { name: 'codes-buyer' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage')
    await signIn(who, 'shopper11')
    await find(who, '봄날', BIKE)
    await page.getByRole('button', { name: '민트' }).click()
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await who.settled()
    await page.getByText('쿠폰 코드 등록').click()
    await page.getByLabel('쿠폰 코드', { exact: true }).waitFor()
    const coupons = page.getByLabel('주문 쿠폰')
    const mine = coupons.locator('option', { hasText: COUPON })
    const off = -amountIn(await mine.innerText())
    await coupons.selectOption(await mine.getAttribute('value'))
    await fillAddress(who, SEOUL)
    assert.ok(off > 0)
    await who.look('코드로 받은 쿠폰을 쓴 주문서')
    await pay(who, await placeOrder(who))
    await who.open('/mypage/coupons/used')
    await page.getByRole('heading', { name: COUPON }).waitFor()
  })

  await as(browser, { name: 'codes-staff-again' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/coupon-codes')
    await signIn(who, 'operator')
    await page.getByRole('link', { name: '가을 전단지' }).first().click()
    const row = page.getByRole('row').filter({ hasText: code })
    await row.getByText('사용함').waitFor()
    await page.getByText('등록한 코드만').click()
    await page.waitForURL(/redeemed=1/)
    await page.getByText('전체 1건').waitFor()
    await who.settled()
    assert.equal(await page.getByRole('cell', { name: CODE }).count(), 1)
    await who.look('등록한 코드')
  })
})
