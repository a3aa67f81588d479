// Steps of users in the shop. Each one works through the pages; none calls the server directly.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxUrl } from './browser.mjs'

export const PASSWORD = 'jangbu!23'

/** Seconds a refund may take. */
const REFUNDED_WITHIN = 60

/** `$1,290.00` -> 129000 hundredths. */
export function amountIn(text) {
  const found = /(-?)\$([\d,]+)\.(\d\d)/.exec(text)
  assert.ok(found, `an amount in ${JSON.stringify(text)}`)
  return Number(`${found[1]}${found[2].replaceAll(',', '')}${found[3]}`)
}

export async function signIn({ page }, username, password = PASSWORD) {
  await page.getByLabel('아이디', { exact: true }).fill(username)
  await page.getByLabel('비밀번호', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** Opens a product from the header's search. */
export async function find(who, term, name) {
  const { page } = who
  let box = page.getByRole('banner').getByRole('combobox')
  if (!(await box.first().isVisible())) {
    await page.getByRole('banner').getByRole('button', { name: '상품 검색' }).click()
    box = page.getByRole('dialog').getByRole('combobox')
    await box.waitFor()
  }
  await box.first().fill(term)
  await box.first().press('Enter')
  await page.waitForURL(/\/search\?/)
  await page.getByRole('main').getByRole('link', { name }).first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await who.settled()
}

/** Presses pay on the checkout page; returns the amount on the button. */
export async function placeOrder({ page }) {
  await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
  const button = page.getByRole('button', { name: /결제하기$/ })
  const amount = amountIn(await button.innerText())
  await button.click()
  await page.waitForURL((url) => url.origin === sandboxUrl)
  return amount
}

/** Fills in the delivery address, with the buyer as the receiver. */
export async function fillAddress(who, { postcode, address }) {
  const { page } = who
  await page.getByRole('checkbox', { name: '주문자와 동일' }).check()
  await page.getByLabel(/^우편번호/).fill(postcode)
  await page.getByLabel(/^주소/).fill(address)
  await who.settled()
}

/** Finds the address in the dialog, and adds the details. */
export async function pickAddress(who, { search, address, details }) {
  const { page } = who
  await page.getByRole('button', { name: '주소 찾기' }).click()
  const layer = page.getByRole('dialog')
  await layer.getByRole('textbox').fill(search)
  await layer.getByRole('button', { name: '검색', exact: true }).click()
  await layer.getByRole('button', { name: address }).first().click()
  await layer.waitFor({ state: 'detached' })
  await page.getByLabel('상세주소').fill(details)
  await who.settled()
}

/** Fills in the sender; a member's data is prefilled. */
export async function fillSender({ page }, { name, phone, email }) {
  await page.getByLabel(/^이름/).fill(name)
  await page.getByLabel(/^휴대폰 번호/).fill(phone)
  await page.getByLabel(/^이메일/).fill(email)
}

/** Pays an order in the payment window and returns to the shop. */
export async function pay(who, amount) {
  await payInWindow(who, amount)
  await who.page.getByRole('heading', { level: 1, name: '주문이 완료되었습니다' }).waitFor()
}

/** Pays the amount in the payment window. */
export async function payInWindow(who, amount) {
  const { page } = who
  await page.locator('.amount').waitFor()
  assert.equal(amountIn(`$${(await page.locator('.amount').innerText()).replace(/[^\d.,]/g, '')}`), amount)
  await who.look('결제창')
  await page.getByRole('button', { name: '결제하기', exact: true }).click()
  await page.waitForURL(/\/shop\/result\?/)
}

/** All charges of the payment service. */
export async function charges() {
  const answer = await fetch(`${sandboxUrl}/sandbox/charges`)
  return answer.json()
}

/** The order's number on the result page. */
export const orderNoOn = async ({ page }) =>
  (
    await page
      .getByText(/^\d{8}-[0-9A-Z]+$/)
      .first()
      .innerText()
  ).trim()

/** Finds an order in the open list of purchases, and opens it. */
export async function openInConsole(who, orderNo) {
  const { page } = who
  const box = page.getByRole('main').getByRole('searchbox')
  await box.fill(orderNo)
  await box.press('Enter')
  await page.waitForURL(/[?&]q=/)
  await who.settled()
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${orderNo}`) })
    .first()
    .click()
  await page.waitForURL(/\/console\/shop\/orders\//)
}

/** Presses an action at a purchase, completes its dialog with the button `yes`, and waits until it is done. */
export async function act(who, line, name, answer, yes = { name, exact: true }) {
  const { page } = who
  await line.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (answer) {
    await dialog.waitFor()
    await answer(dialog)
    await dialog.getByRole('button', yes).click()
  }
  await dialog.waitFor({ state: 'detached' })
  await who.answered()
}

/** What the payment service still holds of an order's payment, once that equals `expected` (or the timeout is over). */
export async function balanceOf(orderNo, expected) {
  for (let second = 0; ; second += 1) {
    const { charges: all } = await charges()
    const balances = all.filter((charge) => charge.orderId?.startsWith(orderNo)).map((charge) => charge.balance)
    assert.equal(balances.length, 1, 'charged once')
    if (balances[0] === expected || second >= REFUNDED_WITHIN) return balances[0]
    await sleep(1000)
  }
}

/** The button of the notifications. */
export const bell = (page) => page.getByRole('banner').getByRole('button', { name: /^알림/ })

/** Opens the drawer of notifications. */
export async function openDrawer(page) {
  await bell(page).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('radiogroup', { name: '알림 종류' }).waitFor()
  return drawer
}
