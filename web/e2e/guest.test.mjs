// Somebody without an account buys, and finds the order again with its number and their phone.
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { fillAddress, fillSender, find, orderNoOn, pay, placeOrder } from './steps.mjs'

const PHONE_NUMBER = '010-9876-5432'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a guest buys at once and looks the order up later', async () => {
  const orderNo = await as(browser, { name: 'guest' }, async (who) => {
    const { page } = who
    await who.open('/')
    await find(who, '미니벨로', '콩알 미니벨로')
    await page.getByRole('button', { name: '노랑' }).click()
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await page.getByRole('button', { name: /결제하기$/ }).click()
    await page.getByRole('alert').first().waitFor()
    await who.look('주문서 빈칸')
    await fillSender(who, { name: '나그네', phone: PHONE_NUMBER, email: 'guest@example.com' })
    await fillAddress(who, { postcode: '04524', address: '서울특별시 중구 세종대로 110' })
    await who.look('비회원 주문서')
    await pay(who, await placeOrder(who))
    await who.look('비회원 주문 결과')
    return orderNoOn(who)
  })
  await as(browser, { name: 'guest-later' }, async (who) => {
    const { page } = who
    await who.open('/login')
    await page.getByRole('main').getByRole('link', { name: '비회원 주문조회' }).click()
    await page.getByRole('heading', { level: 1, name: '비회원 주문조회' }).waitFor()
    await who.look('주문조회')
    await page.getByLabel('주문번호').fill(orderNo)
    await page.getByLabel('휴대폰 번호').fill(PHONE_NUMBER)
    await page.getByRole('button', { name: '조회하기' }).click()
    await page.getByText('콩알 미니벨로').first().waitFor()
    await who.look('비회원 주문 상세')
  })
})
