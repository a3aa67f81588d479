// A guest buys and finds the order again with its number and their phone, and staff correct its address.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, sandboxUrl, Visitor } from './browser.mjs'
import {
  amountIn,
  charges,
  fillAddress,
  fillSender,
  find,
  openInConsole,
  orderNoOn,
  pay,
  placeOrder,
  signIn,
} from './steps.mjs'

const PHONE_NUMBER = '010-9876-5432'
const JEJU = { postcode: '63122', address: '제주특별자치도 제주시 문연로 6' }
const MOVED = { postcode: '06236', address: '서울특별시 강남구 테헤란로 152' }
const NOTE = '전화로 배송지를 바꾸셨습니다'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a guest buys without an account and looks the order up later', async () => {
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
  await as(browser, { name: 'operator-corrects' }, (who) => correct(who, orderNo))
  await as(browser, { name: 'guest-last', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/shop/lookup')
    await page.getByLabel('주문번호').fill(orderNo)
    await page.getByLabel('휴대폰 번호').fill(PHONE_NUMBER)
    await page.getByRole('button', { name: '조회하기' }).click()
    await page.getByText(MOVED.address).first().waitFor()
    assert.equal(await page.getByText(NOTE).count(), 0, 'the note is for staff')
    await who.look('수정된 배송지')
  })
})

/** Staff correct the delivery address, which the paid fare has to cover, and leave a note. */
async function correct(who, orderNo) {
  const { page } = who
  await who.open('/login?next=/console/shop/purchases/payment')
  await signIn(who, 'operator')
  await page.waitForURL('**/console/shop/purchases/payment')
  await openInConsole(who, orderNo)
  await page.getByRole('button', { name: '배송지 수정' }).click()
  const dialog = page.getByRole('dialog')
  const save = async ({ postcode, address }) => {
    await dialog.getByLabel(/^우편번호/).fill(postcode)
    await dialog.getByLabel(/^주소/).fill(address)
    await dialog.getByRole('button', { name: '저장', exact: true }).click()
  }
  // The paid fare does not cover an island.
  await save(JEJU)
  await dialog.getByRole('alert').first().waitFor()
  who.wasRefused(400)
  await who.look('다른 지역으로 수정')
  await save(MOVED)
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(MOVED.address).first().waitFor()
  const note = page.getByRole('textbox', { name: '메모' })
  await note.fill(NOTE)
  await page.getByRole('main').getByRole('button', { name: '저장', exact: true }).click()
  await page.getByText('메모를 저장했습니다.').first().waitFor()
  await page.reload()
  await who.settled()
  assert.equal(await note.inputValue(), NOTE)
  await who.look('수정한 주문')
}

test("two windows of a guest's browser share a cart and place one order", () =>
  as(browser, { name: 'guest-windows' }, async (first) => {
    const second = new Visitor(await first.page.context().newPage(), 'guest-window-2')
    await first.open('/')
    await find(first, '배 착즙주스', '배 착즙주스')
    await first.page.getByRole('main').getByRole('button', { name: '장바구니', exact: true }).click()
    await first.page.getByText('장바구니에 담았습니다.').first().waitFor()
    const windows = [first, second]
    for (const who of windows) {
      await who.open('/shop/cart')
      await who.page.getByRole('button', { name: '1개 상품 주문하기' }).click()
      await who.page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
      await fillSender(who, { name: '두창문', phone: '010-2222-3333', email: 'windows@example.com' })
      await fillAddress(who, { postcode: '04524', address: '서울특별시 중구 세종대로 110' })
      await who.page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
      await who.settled()
    }
    const button = ({ page }) => page.getByRole('button', { name: /결제하기$/ })
    const amount = amountIn(await button(first).innerText())
    const never = () => new Promise(() => {})
    const told = ({ page }) => page.getByRole('alert').getByRole('link', { name: '주문 보기' })
    const ends = await Promise.all(
      windows.map(async (who) => {
        await button(who).click()
        return Promise.race([
          who.page.waitForURL((url) => url.origin === sandboxUrl).then(() => 'ordered', never),
          told(who)
            .waitFor()
            .then(() => 'told', never),
        ])
      }),
    )
    assert.deepEqual([...ends].sort(), ['ordered', 'told'])
    const [winner, other] = ends[0] === 'ordered' ? windows : [second, first]
    other.wasRefused(409)
    // It requests the price again, also for the next cart, and gets the same refusal each time.
    await other.settled()
    while (other.faults.some((fault) => fault.includes('/orders/preview'))) other.wasRefused(409)
    await other.look('다른 창에서 주문함')
    const seen = new URL(await told(other).getAttribute('href'), other.page.url()).searchParams.get('order')
    await pay(winner, amount)
    assert.equal(new URL(winner.page.url()).searchParams.get('order'), seen, 'the same order')
    const orderNo = await orderNoOn(winner)
    await told(other).click()
    await other.page.getByText(orderNo).first().waitFor()
    await other.look('다른 창의 주문')
    const made = (await charges()).charges.filter((charge) => charge.orderId?.startsWith(orderNo))
    assert.deepEqual(
      made.map((charge) => charge.balance),
      [amount],
    )
    for (const who of windows) {
      await who.open('/shop/cart')
      assert.equal(await who.page.getByText('배 착즙주스').count(), 0)
    }
  }))
