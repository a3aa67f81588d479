// An order by virtual account: the account is shown, the buyer pays in at the bank, and the bank's notification alone marks it paid.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, sandboxUrl } from './browser.mjs'
import { fillAddress, find, placeOrder, signIn } from './steps.mjs'

const JUICE = '사과 착즙주스'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a deposit pays the order', async () => {
  await as(browser, { name: 'depositor' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, 'shopper06')
    await find(who, JUICE, JUICE)
    await page.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillAddress(who, { postcode: '35242', address: '대전광역시 서구 둔산로 100' })
    await page.getByText('가상계좌', { exact: true }).click()
    await page.getByLabel(/^환불 은행/).selectOption({ label: '국민은행' })
    await page.getByLabel(/^예금주/).fill('김쇼퍼')
    await page.getByLabel(/^환불 계좌번호/).fill('123456-01-234567')
    await who.look('가상계좌 주문서')
    await placeOrder(who)
    await page.getByLabel('입금할 은행').selectOption({ label: '우리은행' })
    await page.getByRole('button', { name: '결제하기', exact: true }).click()
    await page.waitForURL(/\/shop\/result\?/)
    await page.getByRole('heading', { level: 1, name: '입금을 기다리고 있습니다' }).waitFor()
    await page.getByText('우리은행').waitFor()
    await who.look('입금 안내')
    const bank = await page.getByRole('link', { name: /체험용 은행/ }).getAttribute('href')
    assert.ok(bank.startsWith(sandboxUrl), bank)
    // The shop learns of the deposit only by the notification; the order's page, still open, updates by itself.
    await page.getByRole('link', { name: '주문 상세' }).click()
    await page.getByRole('heading', { level: 1, name: '주문 상세' }).waitFor()
    const window = await page.context().newPage()
    await window.goto(bank)
    await window.getByRole('button', { name: '입금하기' }).click()
    await window.getByText('입금되었습니다').first().waitFor()
    await window.close()
    await page.getByText('입금이 확인되었습니다').first().waitFor()
    assert.equal(await page.getByText('입금을 기다리고 있습니다').count(), 0)
    await who.look('입금된 주문')
  })
})
