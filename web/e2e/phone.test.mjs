// Buying on a phone: the menu, the option sheet, the bar with the button.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { fillAddress, find, pay, placeOrder, signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a member buys on a phone', async () => {
  await as(browser, { name: 'phone', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    await who.look('홈')
    const bottom = page.getByRole('navigation', { name: '하단 메뉴' })
    await bottom.getByRole('button', { name: '카테고리' }).click()
    await page.getByRole('dialog').getByRole('link', { name: '킥보드', exact: true }).click()
    await page.waitForURL(/category=kickboard/)
    await who.look('카테고리')
    await find(who, '시티 킥보드', '시티 킥보드 S')
    await who.look('상품')
    await page.getByRole('button', { name: '구매하기' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: '하양' }).click()
    await who.look('옵션 고르기')
    // The second click of a double click hits the category menu's place.
    await sheet.getByRole('button', { name: '장바구니', exact: true }).dblclick()
    await page.getByText('장바구니에 담았습니다.').first().waitFor()
    await sheet.waitFor({ state: 'detached' })
    await who.look('담은 뒤')
    assert.equal(await sheet.count(), 0)
    await who.open('/login?next=/cart')
    await signIn(who, 'shopper02')
    await page.getByText('시티 킥보드 S').first().waitFor()
    await who.look('장바구니')
    await page.getByRole('button', { name: /개 상품 주문하기$/ }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillAddress(who, { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' })
    await who.look('주문서')
    await pay(who, await placeOrder(who))
    await who.look('주문 결과')
    await who.open('/mypage')
    await who.look('마이페이지')
    await who.open('/mypage/orders')
    await who.look('내 주문')
  })
  await as(browser, { name: 'phone-operator', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/dashboard')
    await signIn(who, 'operator')
    await who.look('대시보드')
    await who.open('/console/shop/purchases/payment')
    await who.look('결제완료 목록')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^\d{8}-/ })
      .first()
      .click()
    await page.waitForURL(/\/console\/shop\/orders\//)
    await who.look('주문')
  })
})
