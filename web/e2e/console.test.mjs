// The console: a deleted record is restored with undo, an older version from the history, a seller's change shows in the shop
// at once, a product that staff assigns to another seller is theirs, and what is in use cannot be deleted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, shopUrl } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const saved = (page) => page.getByText('저장했습니다.').first().waitFor()

/** Buttons, links and texts of the page's bottom that the message on the page covers. */
const coveredByMessage = ({ page }) =>
  page.evaluate(() => {
    const box = document.querySelector('[data-sonner-toast]').getBoundingClientRect()
    const isUnder = (one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return left < box.right && box.left < right && top < box.bottom && box.top < bottom
    }
    const all = document.querySelectorAll('header :is(a, button), main :is(button, a, input), .sticky span')
    return [...all].filter((one) => one.offsetParent && isUnder(one)).map((one) => one.outerHTML.slice(0, 120))
  })

test('an operator undoes a delete and restores an older version', () =>
  as(browser, { name: 'operator-records' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/popups?id=new')
    await signIn(who, 'operator')
    await page.getByRole('heading', { level: 1, name: /등록$/ }).waitFor()
    const name = page.getByLabel(/^(팝업명|이름)/)
    await name.fill('첫 번째 이름')
    await page.getByRole('textbox', { name: '내용' }).fill('새해 배송 안내')
    await who.look('새 팝업')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: '첫 번째 이름' }).waitFor()
    await name.fill('두 번째 이름')
    // By keyboard, for those who edit a lot.
    await page.keyboard.press('Control+s')
    await saved(page)
    await page.getByRole('heading', { level: 1, name: '두 번째 이름' }).waitFor()
    await name.fill('두 번째 이름.')
    await page.getByText('저장하지 않은 내용이 있습니다').waitFor()
    assert.deepEqual(await coveredByMessage(who), [])
    await name.fill('두 번째 이름')
    await page.getByRole('button', { name: '이 버전으로 되돌리기' }).last().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '네' }).click()
    await page.getByRole('heading', { level: 1, name: '첫 번째 이름' }).waitFor()
    assert.equal(await name.inputValue(), '첫 번째 이름')
    await who.look('되돌린 팝업')

    await page.getByRole('button', { name: '삭제', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '삭제', exact: true }).click()
    await page.waitForURL('**/console/popups')
    // While hovered, the toast stays.
    await page.getByRole('button', { name: '되돌리기', exact: true }).hover()
    const row = page.getByRole('table').getByRole('link', { name: '첫 번째 이름' })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '되돌리기', exact: true }).click()
    await row.waitFor()
    await page.reload()
    await row.waitFor()
    await who.look('팝업 목록')
  }))

test("a seller's change shows in the shop at once", async () => {
  const changed = await as(browser, { name: 'seller-product' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/products')
    // Kickboards and scooters are used here, bicycles in kit.test.mjs: both run at the same time.
    await signIn(who, 'kickcity')
    await page.getByRole('table').getByRole('link').first().click()
    const name = page.getByLabel(/^상품명/)
    await name.waitFor()
    const now = `${(await name.inputValue()).slice(0, 40)} 새로움`
    await name.fill(now)
    await page.getByLabel(/^정가/).fill('1,234.50')
    await who.look('상품 수정')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await saved(page)
    return { name: now, path: `/shop/products/${new URL(page.url()).pathname.split('/').at(-1)}` }
  })
  await as(browser, { name: 'shopper-sees', screen: PHONE }, async (who) => {
    await who.open(new URL(changed.path, shopUrl).pathname)
    await who.page.getByRole('heading', { level: 1, name: changed.name }).waitFor()
    await who.page.getByText('$1,234.50').first().waitFor()
    await who.look('바뀐 상품')
  })
})

test('a seller copies a product, and finds the copy hidden and the original in the shop', () =>
  as(browser, { name: 'seller-copies' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/products?q=KB-04')
    await signIn(who, 'kickcity')
    await page.getByRole('table').getByRole('link').first().click()
    const name = page.getByLabel(/^상품명/)
    const was = await name.inputValue()
    const options = await page.getByRole('checkbox', { name: /판매$/ }).count()
    await page.getByRole('link', { name: '복사해서 새로 만들기' }).click()
    await page.getByRole('heading', { level: 1, name: '상품 등록' }).waitFor()
    await who.settled()
    assert.equal(await name.inputValue(), `${was} 사본`)
    assert.equal(await page.getByLabel(/^상품코드/).inputValue(), '')
    await page.getByLabel(/^상품코드/).fill('KB-04-COPY')
    await who.look('상품 사본')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: `${was} 사본` }).waitFor()
    await who.settled()
    assert.equal(await page.getByRole('checkbox', { name: /판매$/ }).count(), options)
    assert.equal(await page.getByRole('link', { name: '쇼핑몰에서 보기' }).count(), 0)
    await who.look('저장한 사본')
    await page.goBack()
    await who.open('/console/shop/products?q=KB-04')
    await page.getByRole('table').getByRole('link', { name: was, exact: true }).click()
    const [shop] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: '쇼핑몰에서 보기' }).click(),
    ])
    await shop.getByRole('heading', { level: 1, name: was }).waitFor()
  }))

test('staff assign a product to another seller, and the shop sells it as theirs', async () => {
  const path = await as(browser, { name: 'staff-giving' }, async (who) => {
    const { page } = who
    const box = (name) => page.getByRole('combobox', { name })
    const choices = page.getByRole('listbox').getByRole('option')
    await who.open('/login?next=/console/shop/products?q=SC-07')
    await signIn(who, 'operator')
    await page.getByRole('table').getByRole('link').first().click()
    await box(/^판매자/).waitFor()
    await who.settled()
    assert.equal(await box(/^판매자/).inputValue(), '스쿠터공방')
    // Every seller has a group of this name; only this seller's is offered.
    await box('배송 그룹').fill('기본')
    await choices.filter({ hasText: '기본 배송' }).first().waitFor()
    await who.settled()
    assert.equal(await choices.count(), 1)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await saved(page)

    await box(/^판매자/).fill('남산')
    await choices.filter({ hasText: '남산사이클' }).waitFor()
    await who.look('판매자 고르기')
    await page.keyboard.press('Enter')
    // The old seller's warehouse no longer ships it.
    await page.getByText('판매자가 바뀌어 비웠습니다. 다시 선택해 주세요.').waitFor()
    assert.equal(await box('배송 그룹').inputValue(), '')
    await page.keyboard.press('Control+s')
    await page.getByRole('listitem').filter({ hasText: '판매자:' }).first().waitFor()
    await who.look('판매자를 바꾼 상품')
    return `/shop/products/${new URL(page.url()).pathname.split('/').at(-1)}`
  })
  await as(browser, { name: 'shopper-sees-seller', screen: PHONE }, async (who) => {
    await who.open(path)
    await who.page.getByRole('row', { name: '판매자 남산사이클' }).waitFor()
    await who.look('다른 판매자의 상품')
  })
})

test('what is in use cannot be deleted, and the operator sees why', () =>
  as(browser, { name: 'operator-in-use' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/user-level/gold')
    await signIn(who, 'operator')
    await page.getByRole('heading', { level: 1, name: '골드' }).waitFor()
    await page.getByRole('button', { name: '삭제', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '삭제', exact: true }).click()
    await page.getByText(/^삭제하지 못했습니다: 골드\. 이 등급인 회원이 \d+명 있습니다\./).waitFor()
    who.wasRefused(409)
    await who.look('삭제 거절')
    await page.getByRole('heading', { level: 1, name: '골드' }).waitFor()
    await who.open('/console/user-level')
    await page.getByRole('table').getByRole('link', { name: '골드' }).waitFor()
  }))

test('every page is reachable by keyboard', () =>
  as(browser, { name: 'operator-keys' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/dashboard')
    await signIn(who, 'operator')
    await page.getByRole('heading', { level: 1, name: '대시보드' }).waitFor()
    await who.look('대시보드')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('약관')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/site/terms')
    await who.look('약관')
  }))
