// An exchange is rejected after the buyer paid for it: the seller, or staff, send the goods back, and what was paid goes back with the card.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import {
  applyForExchange,
  buyPieces,
  deliver,
  factsOn,
  inspect,
  lineOf,
  ofOrder,
  openOrder,
  parcel,
  payExchange,
} from './claim-steps.mjs'
import { act, amountIn, balanceOf, openDrawer, signIn } from './steps.mjs'

const REASON = '받은 상품에 사용한 흔적이 있습니다'
const BACK_INVOICE = '640055556666'

const CASES = [
  {
    name: 'difference and fee, by the seller',
    member: 'shopper05',
    goods: { name: '레몬 착즙주스', option: '1병' },
    other: '6병',
    seller: 'freshpress',
    rejectedBy: 'freshpress',
    cost: '교환 비용',
  },
  {
    name: 'fee, by staff',
    member: 'shopper06',
    goods: { name: '클래식 레이디', option: '베이지' },
    other: '하양',
    seller: 'namsan',
    rejectedBy: 'operator',
    cost: '교환 배송비',
  },
]

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Rejects the paid exchange: not without a reason and a parcel, and once. */
async function reject(who, line, goods) {
  const { page } = who
  await line.getByRole('button', { name: '교환 거부', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const yes = dialog.getByRole('button', { name: '교환 거부', exact: true })
  await yes.click()
  await dialog.getByRole('alert').first().waitFor()
  await who.look('사유 없는 교환 거부')
  await dialog.getByLabel(/사유/).fill(REASON)
  await yes.click()
  assert.ok(await dialog.isVisible(), 'goods that were picked up need a parcel')
  await parcel(BACK_INVOICE)(dialog)
  await who.look('교환 거부')
  const sent = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await yes.dblclick()
  await dialog.waitFor({ state: 'detached' })
  await who.answered()
  assert.equal(sent.length, 1, 'pressed twice, sent once')
  await page.reload()
  await lineOf(who, goods.name).getByText('교환거부').first().waitFor()
  await page.getByText(BACK_INVOICE).first().waitFor()
  for (const name of ['교환 거부', '교환 상품 발송'])
    assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0)
  await who.look('거부한 교환')
}

for (const { name, member, goods, other, seller, rejectedBy, cost } of CASES)
  test(`a paid exchange is rejected and its payment goes back (${name})`, async () => {
    const asMember = (who, next) => who.open(`/login?next=${next}`).then(() => signIn(who, member))
    const called = (part) => `${rejectedBy}-${part}`
    const { orderNo, paid } = await as(browser, { name: called('buyer'), screen: PHONE }, async (who) => {
      await asMember(who, '/')
      return buyPieces(who, 1, goods)
    })
    await as(browser, { name: called('sender') }, async (who) => {
      await openOrder(who, seller, 'payment', orderNo)
      await deliver(who, goods.name)
    })
    const amount = await as(browser, { name: called('exchanger'), screen: PHONE }, async (who) => {
      const { page } = who
      await asMember(who, '/mypage/orders')
      await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
      const terms = await applyForExchange(who, other, '마음이 바뀌었어요')
      assert.equal(terms.price > 0, cost === '교환 비용')
      return terms.cost
    })
    await as(browser, { name: called('inspector') }, async (who) => {
      await openOrder(who, seller, 'exchange', orderNo)
      const line = lineOf(who, goods.name)
      await act(who, line, '교환 승인')
      await inspect(who, line)
    })
    const result = await as(browser, { name: called('payer'), screen: PHONE }, async (who) => {
      await asMember(who, '/mypage/orders?filter=exchange')
      await ofOrder(who, orderNo).getByRole('link', { name: '교환 상세' }).first().click()
      await payExchange(who, cost, amount)
      return who.page.url()
    })
    assert.equal(await balanceOf(`${orderNo}-F1`, amount), amount)

    await as(browser, { name: called('rejecter') }, async (who) => {
      await openOrder(who, rejectedBy, 'exchange', orderNo)
      await reject(who, lineOf(who, goods.name), goods)
    })
    assert.equal(await balanceOf(`${orderNo}-F1`, 0), 0, 'what was paid for the exchange is back')
    assert.equal(await balanceOf(`${orderNo}-1`, paid), paid, 'the goods stay paid')

    await as(browser, { name: called('rejected'), screen: PHONE }, async (who) => {
      const { page } = who
      await asMember(who, '/mypage/orders')
      // The notifications are those of this order, and lead to it.
      const drawer = await openDrawer(page)
      const news = drawer.getByRole('listitem').filter({ hasText: orderNo })
      await news
        .filter({ hasText: `결제하신 ${cost}` })
        .filter({ hasText: '환불해 드립니다' })
        .first()
        .waitFor()
      const refusal = news.filter({ hasText: '교환 신청이 거부되었습니다' }).first()
      await refusal.waitFor()
      await who.look('거부 알림')
      await refusal.getByRole('button').first().click()
      await page.getByRole('heading', { level: 1, name: '주문 상세' }).waitFor()
      await page.getByText(`거부 사유: ${REASON}`).first().waitFor()
      const payments = page.locator('section').filter({ has: page.getByRole('heading', { name: '결제 내역' }) })
      const fee = payments.getByRole('listitem').filter({ hasText: '교환 비용' })
      assert.equal(amountIn(await fee.getByText(/^환불/).innerText()), amount)
      assert.equal(await page.getByRole('button', { name: /^교환 .* 결제$/ }).count(), 0)
      await who.look('교환이 거부된 주문')
      await page.getByRole('link', { name: '교환 상세' }).first().click()
      await page.getByText(`결제하신 ${cost}`).waitFor()
      assert.equal(amountIn(await page.getByText(`결제하신 ${cost}`).innerText()), amount)
      await page.getByText(BACK_INVOICE).waitFor()
      await who.look('거부된 교환')
      await page.reload()
      await page.getByText(`교환 신청이 거부되었습니다. 거부 사유: ${REASON}`).waitFor()

      // The page the payment ended on says that it is over, and asks for nothing.
      await who.open(result)
      await page.getByRole('heading', { level: 1, name: new RegExp(`^결제할 ${cost}`) }).waitFor()
      assert.equal(await factsOn(who, '결제 상태').locator('dd').innerText(), '환불')
      assert.equal(await page.getByRole('button', { name: /결제/ }).count(), 0)
      await who.look('거부 뒤의 결제 결과')
    })
  })
