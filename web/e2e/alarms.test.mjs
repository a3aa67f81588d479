// Notifications while the shop is open: an order is paid and shipped in other windows, and the open page counts and lists the news by
// itself, over one connection of the browser. The member reads, goes there, deletes, and switches notifications off; the seller is
// told of the order in the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, DESK, openBrowser, PHONE, Visitor } from './browser.mjs'
import {
  act,
  bell,
  fillAddress,
  find,
  openDrawer,
  openInConsole,
  orderNoOn,
  pay,
  placeOrder,
  signIn,
} from './steps.mjs'

const BIKE = { name: '봄날 시티 바이크', option: '하양', seller: 'hangang' }
const MEMBER = 'shopper09'
const STREAM = '/api/v1/me/alarms/stream'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** The unread count on the bell. */
async function unreadOn(page) {
  const text = (await bell(page).locator('.sr-only').innerText()) ?? ''
  return Number(/(\d+)개/.exec(text)?.[1] ?? 0)
}

/** Waits for this count without touching the page. */
const rises = (page, count) =>
  bell(page)
    .filter({ hasText: new RegExp(`알림 ${count}개`) })
    .waitFor()

for (const [name, screen] of [
  ['desk', DESK],
  ['phone', PHONE],
]) {
  test(`an open page shows what happens to the member's order (${name})`, async () => {
    await as(browser, { name: `alarms-${name}`, screen }, async (who) => {
      const { page } = who
      await who.open('/login?next=/')
      await signIn(who, MEMBER)
      await who.open('/')
      const connections = []
      page.context().on('request', (request) => request.url().endsWith(STREAM) && connections.push(request))
      const before = await unreadOn(page)

      // Another window of the same browser buys something.
      const other = new Visitor(await page.context().newPage(), `alarms-${name}-buying`)
      await other.page.setViewportSize(DESK)
      await other.open('/')
      await find(other, BIKE.name, BIKE.name)
      await other.page.getByRole('main').getByRole('button', { name: BIKE.option }).first().click()
      await other.page.getByRole('button', { name: '바로구매' }).first().click()
      await other.page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
      await fillAddress(other, { postcode: '35242', address: '대전광역시 서구 둔산로 100' })
      await pay(other, await placeOrder(other))
      const orderNo = await orderNoOn(other)
      await rises(page, before + 1)
      await other.settled()
      await rises(other.page, before + 1)
      assert.deepEqual(connections, [], 'the other window uses the first one’s connection')
      // The window that holds the connection closes; the other one takes it over.
      await page.close()
      await other.page.setViewportSize(screen)
      await rises(other.page, before + 1)
      Object.assign(who, { page: other.page })
      const drawer = await openDrawer(other.page)
      const row = (text) => drawer.getByRole('listitem').filter({ hasText: orderNo }).filter({ hasText: text })
      await row('결제가 완료되었습니다').waitFor()

      await as(browser, { name: `alarms-${name}-seller` }, async (seller) => {
        await seller.open('/login?next=/console/shop/purchases/payment')
        await signIn(seller, BIKE.seller)
        await seller.page.waitForURL('**/console/shop/purchases/payment')
        const list = await openDrawer(seller.page)
        await list.getByText('판매', { exact: true }).click()
        await list
          .getByRole('listitem')
          .filter({ hasText: orderNo })
          .filter({ hasText: '새 주문이 들어왔습니다' })
          .waitFor()
        await seller.look('판매자의 알림')
        await seller.page.keyboard.press('Escape')
        await openInConsole(seller, orderNo)
        const line = seller.page.getByRole('listitem').filter({ hasText: BIKE.name }).first()
        await act(seller, line, '준비 처리')
        await act(seller, line, '송장 등록', async (dialog) => {
          await dialog.getByLabel(/택배사/).selectOption({ index: 1 })
          await dialog.getByLabel(/송장번호/).fill('640087654321')
        })
      })

      // The drawer is open all the while.
      await row('상품이 발송되었습니다').waitFor()
      await rises(other.page, before + 2).catch(() => undefined)
      await other.look('열린 알림')
      await row('상품이 발송되었습니다').getByRole('button').first().click()
      await other.page.getByRole('heading', { level: 1, name: '주문 상세' }).waitFor()
      assert.ok(other.page.url().includes('/mypage/orders-detail'))
      await rises(other.page, before + 1)

      // With the keyboard: delete the other one, then the settings, which are closed with the drawer.
      const again = await openDrawer(other.page)
      const paid = again.getByRole('listitem').filter({ hasText: orderNo }).filter({ hasText: '결제가 완료' })
      await paid.getByRole('button', { name: '알림 삭제' }).focus()
      await other.page.keyboard.press('Enter')
      await paid.waitFor({ state: 'detached' })
      assert.ok(await again.evaluate((one) => one.contains(document.activeElement)), 'the focus stays in the drawer')
      await again.getByRole('button', { name: '알림 설정' }).click()
      await again.getByText('알림 받기').waitFor()
      await other.look('알림 설정')
      await again.getByRole('switch', { name: '알림 받기' }).click()
      await other.settled()
      await other.page.keyboard.press('Escape')
      assert.equal(await unreadOn(other.page), 0, 'switched off')
      const closed = await openDrawer(other.page)
      assert.equal(await closed.getByText('알림 받기').count(), 0, 'the list again')
      await closed.getByRole('button', { name: '알림 설정' }).click()
      await closed.getByRole('switch', { name: '알림 받기' }).click()
      await other.settled()
      assert.deepEqual(other.faults, [])
    })
  })
}
