// Back closes an open layer and nothing else, on desktop and on a phone; guests on a phone reach their cart.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, DESK, openBrowser, PHONE } from './browser.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const addressOf = (page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + decodeURIComponent(search)
}
/** History entries of layers are pushed and removed a moment after they open and close. */
const layersAre = (page, count) => page.waitForFunction((n) => (history.state?.layer ?? 0) === n, count)
const isGone = (dialog) => dialog.waitFor({ state: 'detached' })

/** Counts from now on how often the progress bar shows a navigation. */
const watchMoves = (page) =>
  page.evaluate(() => {
    window.moves = 0
    const look = () => {
      if (document.querySelector('.scale-x-75')) window.moves += 1
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
  })

/** Opens the product's first photo and closes it with back. */
async function photoClosesWithBack(page, dialog) {
  await page
    .getByRole('button', { name: /크게 보기|확대/ })
    .first()
    .click()
  await dialog.waitFor()
  await layersAre(page, 1)
  await page.goBack()
  await isGone(dialog)
}

async function toProduct(who, name) {
  await who.open(`/search?searchValue=${encodeURIComponent(name)}`)
  await who.page.getByRole('main').getByRole('link', { name }).first().click()
  await who.page.getByRole('heading', { level: 1, name }).waitFor()
  await who.settled()
  return addressOf(who.page)
}

test('back on a phone closes the sheet, the photo, the menu and the search, and selections stay', async () => {
  await as(browser, { name: 'layers-phone', screen: PHONE }, async (who) => {
    const { page } = who
    const dialog = page.getByRole('dialog')
    const product = await toProduct(who, '시티 킥보드 S')

    // A sheet with a selected option.
    await page.getByRole('button', { name: '구매하기' }).click()
    await dialog.getByRole('button', { name: '하양' }).click()
    await layersAre(page, 1)
    await page.goBack()
    await isGone(dialog)
    assert.equal(addressOf(page), product)
    await page.getByRole('button', { name: '구매하기' }).click()
    await dialog.getByText('총 1개').waitFor()
    await layersAre(page, 1)
    await page.goBack()
    await isGone(dialog)

    // The photo; forward does not open it again.
    await photoClosesWithBack(page, dialog)
    await page.goForward()
    await layersAre(page, 0)
    assert.equal(await dialog.count(), 0)
    assert.equal(addressOf(page), product)

    // The menu, closed with its button, leaves no history entry: back goes to the previous page.
    await page.getByRole('navigation', { name: '하단 메뉴' }).getByRole('button', { name: '카테고리' }).click()
    await dialog.waitFor()
    await layersAre(page, 1)
    await watchMoves(page)
    await dialog.getByRole('button', { name: '닫기' }).click()
    await isGone(dialog)
    await layersAre(page, 0)
    // The router does not see the removed entry: it would cancel a link followed at that moment.
    assert.equal(await page.evaluate(() => window.moves), 0)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /검색 결과/ }).waitFor()
    assert.equal(addressOf(page), '/search?searchValue=시티 킥보드 S')

    // A link in the menu opens its page, and back returns to the page, not to the menu.
    await page.getByRole('navigation', { name: '하단 메뉴' }).getByRole('button', { name: '카테고리' }).click()
    await dialog.getByRole('link', { name: '자전거', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: '자전거' }).waitFor()
    await layersAre(page, 0)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /검색 결과/ }).waitFor()
    assert.equal(await dialog.count(), 0)
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: '자전거' }).waitFor()

    // Filters: each selection stays when back closes the sheet.
    await who.settled()
    await page.getByRole('button', { name: /^필터/ }).click()
    await dialog.getByRole('link').first().click()
    await page.waitForURL((url) => url.searchParams.size > 1)
    await layersAre(page, 1)
    const filtered = addressOf(page)
    await page.goBack()
    await isGone(dialog)
    assert.equal(addressOf(page), filtered)
    await who.settled()
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.size === 1)
    assert.equal(await dialog.count(), 0)

    // Reloading a page with an open layer removes the layer and its entry.
    await page.getByRole('button', { name: /^필터/ }).click()
    await layersAre(page, 1)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: '자전거' }).waitFor()
    await layersAre(page, 0)
    assert.equal(await dialog.count(), 0)
    await who.look('새로 연 목록')
  })
})

test('back on desktop closes one layer at a time', async () => {
  await as(browser, { name: 'layers-desk', screen: DESK }, async (who) => {
    const { page } = who
    const product = await toProduct(who, '시티 킥보드 S')
    const dialog = page.getByRole('dialog')
    await photoClosesWithBack(page, dialog)
    assert.equal(addressOf(page), product)

    await who.open('/login?next=/mypage/destinations')
    await page.getByLabel('아이디', { exact: true }).fill('shopper04')
    await page.getByLabel('비밀번호', { exact: true }).fill('jangbu!23')
    await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click()
    await page.waitForURL(/destinations/)
    await who.settled()
    await page.getByRole('button', { name: '새 배송지' }).click()
    const form = dialog.first()
    await form.getByRole('textbox').first().fill('회사')
    await form.getByRole('button', { name: '주소 찾기' }).click()
    const search = page.getByRole('dialog', { name: '주소 찾기' })
    await search.waitFor()
    await layersAre(page, 2)
    await page.goBack()
    await isGone(search)
    await layersAre(page, 1)
    // Unsaved input opens a confirmation; going back once more closes the confirmation, not the form.
    const question = page.getByRole('alertdialog')
    await page.goBack()
    await question.waitFor()
    await layersAre(page, 2)
    await page.goBack()
    await isGone(question)
    await layersAre(page, 1)
    assert.equal(await form.getByRole('textbox').first().inputValue(), '회사')
    await page.goBack()
    await question.getByRole('button').last().click()
    await isGone(dialog)
    await layersAre(page, 0)
    assert.equal(addressOf(page), '/mypage/destinations')
    await who.look('배송지')
  })
})

test('a guest on a phone reaches the cart from the bottom bar', async () => {
  await as(browser, { name: 'guest-cart', screen: PHONE }, async (who) => {
    const { page } = who
    await toProduct(who, '시티 킥보드 S')
    await page.getByRole('button', { name: '구매하기' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: '하양' }).click()
    await sheet.getByRole('button', { name: '장바구니', exact: true }).click()
    await isGone(sheet)
    const before = addressOf(page)
    await page.getByRole('navigation', { name: '하단 메뉴' }).getByRole('link', { name: '장바구니' }).click()
    await page.getByRole('heading', { level: 1, name: '로그인' }).waitFor()
    await who.look('로그인 안내')
    const way = page.getByRole('link', { name: /로그인하지 않고 장바구니 보기/ })
    assert.match(await way.innerText(), /1개/)
    await way.click()
    await page.getByRole('heading', { level: 1, name: '장바구니' }).waitFor()
    await page.getByText('시티 킥보드 S').first().waitFor()
    await page.getByRole('button', { name: '1개 상품 주문하기' }).waitFor()
    await who.look('비회원 장바구니')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: '시티 킥보드 S' }).waitFor()
    assert.equal(addressOf(page), before)
  })
})
