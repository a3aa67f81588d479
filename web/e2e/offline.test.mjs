// Without a connection, code that fails to load breaks nothing on the page: messages and confirmations are shown without it, the rest
// waits for the connection. With a connection, code that fails to load is retried.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Drops errors that the browser logs for requests without a connection, and React for chunks that failed to load. */
const forgive = (who) => {
  who.faults = who.faults.filter(
    (fault) =>
      !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported module|error occurred in|React will try/.test(fault),
  )
}
const cut = (who, isCut) => who.page.context().setOffline(isCut)

test('the first message without a connection leaves the page unchanged', async () => {
  await as(browser, { name: 'offline-guest', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open(`/search?searchValue=${encodeURIComponent('시티 킥보드 S')}`)
    await page.getByRole('main').getByRole('link', { name: '시티 킥보드 S' }).first().click()
    await page.getByRole('heading', { level: 1, name: '시티 킥보드 S' }).waitFor()
    await page.getByRole('button', { name: '구매하기' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: '하양' }).click()
    await who.settled()
    await cut(who, true)
    await sheet.getByRole('button', { name: '장바구니', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '장바구니에 담았습니다.' }).waitFor()
    assert.equal(await page.getByRole('heading', { level: 1, name: '시티 킥보드 S', includeHidden: true }).count(), 1)
    await sheet.waitFor({ state: 'detached' })
    await page.getByText('인터넷 연결이 끊겼습니다').waitFor()
    await who.shoot('연결 없이 담기', { whole: false })

    // A layer whose code fails to load shows a message, and loads when it is opened again.
    const menu = page.getByRole('navigation', { name: '하단 메뉴' }).getByRole('button', { name: '카테고리' })
    await menu.click()
    await page.getByRole('alert').filter({ hasText: '인터넷 연결을 확인해 주세요' }).waitFor()
    assert.equal(await page.getByRole('heading', { level: 1, name: '시티 킥보드 S' }).count(), 1)

    // A page whose code fails to load shows an error inside the frame, and loads once the connection is back.
    await page.getByRole('link', { name: '전체', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: '화면을 표시하지 못했습니다' }).waitFor()
    assert.equal(await page.getByRole('banner').count(), 1)
    await cut(who, false)
    await page.getByRole('heading', { level: 1, name: '전체 상품' }).waitFor()
    await who.settled()
    await menu.click()
    await page.getByRole('dialog', { name: '카테고리' }).waitFor()
    forgive(who)
    await who.look('다시 연결된 뒤')
  })
})

test('input is kept when saving fails without a connection', async () => {
  await as(browser, { name: 'offline-member' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/destinations')
    await signIn(who, 'shopper04')
    await who.settled()
    await page.getByRole('button', { name: '새 배송지' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(/^받는 분\*?$/).fill('김단비')
    await cut(who, true)
    await form.getByRole('button', { name: '저장' }).click()
    // The dialog that confirms discarding input is not loaded: the browser's own is shown.
    const asked = new Promise((tell) => {
      page.once('dialog', (dialog) => {
        tell(dialog.message())
        void dialog.dismiss()
      })
    })
    await form.getByRole('button', { name: '닫기' }).click()
    assert.ok(await asked)
    assert.equal(await form.getByLabel(/^받는 분\*?$/).inputValue(), '김단비')
    await cut(who, false)
  })
})

test('a record that cannot be saved without a connection says so where the button is', () =>
  as(browser, { name: 'offline-operator', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/site/setting')
    await signIn(who, 'operator')
    await page.getByLabel(/^사이트명/).fill('연결 없는 쇼핑몰')
    await who.settled()
    await cut(who, true)
    await page.getByRole('button', { name: '저장', exact: true }).click()
    const said = page.getByRole('main').getByRole('alert')
    await said.waitFor()
    const { y, height } = await said.boundingBox()
    assert.ok(y >= 0 && y + height <= PHONE.height, `shown at ${y}`)
    await who.shoot('저장하지 못한 설정', { whole: false })
    await cut(who, false)
  }))

test('code that fails to load at first is retried', async () => {
  await as(browser, { name: 'hiccup' }, async (who) => {
    const { page } = who
    let refused = 0
    await page.route(/assets\/(Toaster|Footer|best|index)[^/]*\.js/, (route) => {
      // The first page's own files load.
      if (!/Toaster/.test(route.request().url()) || refused > 0) return route.continue()
      refused += 1
      return route.abort()
    })
    await who.open('/')
    await page.getByRole('banner').getByRole('button', { name: /^알림/ }).click()
    await page.getByRole('heading', { level: 1, name: '로그인' }).waitFor()
    await page.locator('[data-sonner-toast]').waitFor()
    assert.equal(refused, 1)
    forgive(who)
    await who.look('알림')
  })
})
