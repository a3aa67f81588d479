// On a phone from the search to the paid order with an address found in the dialog; and an order with coupon, points and an island fare.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { amountIn, find, pay, pickAddress, placeOrder, signIn } from './steps.mjs'

const BICYCLE = '관악 하드테일'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a member searches on a phone, likes a product, and buys it to an address found in the dialog', async () => {
  await as(browser, { name: 'phone-search', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    await page.getByRole('button', { name: '상품 검색' }).click()
    const search = page.getByRole('dialog')
    await search.getByRole('heading', { name: '최근 검색어' }).waitFor()
    await search.getByRole('combobox').fill('하드테일')
    await search.getByRole('combobox').press('Enter')
    await page.waitForURL(/\/search\?/)
    await who.look('검색 결과')
    await page.getByRole('main').getByRole('link', { name: BICYCLE }).first().click()
    await page.getByRole('heading', { level: 1, name: BICYCLE }).waitFor()
    await who.look('상품')

    // On a phone a guest's like button opens the login (spec V158), which returns to the page.
    await page
      .getByRole('button', { name: `${BICYCLE} 찜하기` })
      .first()
      .click()
    await page.waitForURL(/\/login\?next=/)
    await signIn(who, 'shopper03')
    await page.getByRole('heading', { level: 1, name: BICYCLE }).waitFor()
    await page
      .getByRole('button', { name: `${BICYCLE} 찜하기` })
      .first()
      .click()
    await page
      .getByRole('button', { name: `${BICYCLE} 찜 해제` })
      .first()
      .waitFor()

    await page.getByRole('button', { name: '구매하기' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.waitFor()
    const option = sheet.getByRole('group').getByRole('button').first()
    if (await option.isVisible().catch(() => false)) await chooseAll(sheet)
    await who.look('옵션')
    await sheet.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await page.getByRole('checkbox', { name: '주문자와 동일' }).check()
    await pickAddress(who, { search: '세종대로 110', address: '서울특별시 중구 세종대로 110', details: '3층' })
    assert.equal(await page.getByLabel(/^우편번호/).inputValue(), '04524')
    await page.getByLabel('배송메시지').selectOption('문 앞에 놓아 주세요.')
    await who.look('주문서')
    await pay(who, await placeOrder(who))
    await who.look('주문 결과')

    await who.open('/mypage/likes')
    await page.getByRole('main').getByRole('link', { name: BICYCLE }).waitFor()
    await who.look('찜한 상품')
    await who.open('/mypage/recent')
    await page.getByRole('main').getByRole('link', { name: BICYCLE }).waitFor()
    await who.look('최근 본 상품')
  })
})

/** One value per step, as many as there are steps. */
async function chooseAll(sheet) {
  for (const step of await sheet.getByRole('group').all()) {
    const button = step.getByRole('button', { disabled: false }).first()
    if (await button.isVisible().catch(() => false)) await button.click()
    if (await sheet.getByRole('list', { name: '선택한 상품' }).isVisible()) return
  }
}

test('one order combines a coupon, points and an island fare', async () => {
  await as(browser, { name: 'island' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, 'shopper01')
    await find(who, '봄날', '봄날 시티 바이크')
    await page.getByRole('button', { name: '민트' }).click()
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    const sum = page.getByRole('complementary', { name: '결제금액' })
    const row = async (name) => {
      await who.settled()
      const found = sum.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      return (await found.count()) > 0 ? found.locator('dd').innerText() : undefined
    }
    await page.getByRole('checkbox', { name: '주문자와 동일' }).check()
    await pickAddress(who, { search: '세종대로 110', address: '서울특별시 중구 세종대로 110', details: '1층' })
    const onLand = fareIn(await row('배송비'))
    await pickAddress(who, { search: '문연로 6', address: '제주특별자치도 제주시 문연로 6', details: '1층' })
    const onTheIsland = fareIn(await row('배송비'))
    assert.ok(onTheIsland > onLand, `the island costs more: ${onLand} -> ${onTheIsland}`)

    const button = page.getByRole('button', { name: /결제하기$/ })
    const before = amountIn(await button.innerText())
    const coupons = page.getByLabel(/^상품 쿠폰/).first()
    const ofSeller = coupons.locator('option', { hasText: '한강바이크 7% 할인' })
    await coupons.selectOption(await ofSeller.getAttribute('value'))
    const coupon = -amountIn((await row('상품 쿠폰')) ?? '')
    assert.ok(coupon > 0, 'the coupon takes something off')
    await page.getByRole('button', { name: '전액사용' }).click()
    const points = -amountIn((await row('적립금')) ?? '')
    assert.ok(points > 0, 'the points take something off')
    assert.equal(amountIn(await button.innerText()), before - coupon - points)
    await who.look('주문서')
    await pay(who, await placeOrder(who))
    await page.getByRole('link', { name: '주문 상세' }).click()
    await page.getByText('결제완료').first().waitFor()
    await page
      .getByText(/문연로 6/)
      .first()
      .waitFor()
    await who.look('주문 상세')
    await who.open('/mypage/coupons/used')
    await page.getByRole('heading', { name: '한강바이크 7% 할인' }).waitFor()
    await who.look('쓴 쿠폰')
  })
})

const fareIn = (text) => (/\$/.test(text ?? '') ? amountIn(text) : 0)
