// Steps of claims: buying pieces, delivering them, applying, and what staff and sellers do until the money is back.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import {
  act,
  amountIn,
  fillAddress,
  fillSender,
  find,
  openInConsole,
  orderNoOn,
  pay,
  payInWindow,
  placeOrder,
  signIn,
} from './steps.mjs'

/** A picture of the goods that the buyer takes. */
export const PICTURE = join(import.meta.dirname, '../public/share.png')
export const INVOICE = '640087654321'
export const PICKUP_INVOICE = '640011112222'
export const REPLACEMENT_INVOICE = '640033334444'
export const DAEJEON = { postcode: '35242', address: '대전광역시 서구 둔산로 100' }

/** Puts this many pieces of a product into an order sheet; on a phone from the sheet at the bottom. */
export async function orderPieces(who, count, { name, option }) {
  const { page } = who
  await find(who, name, name)
  const opens = page.getByRole('button', { name: '구매하기' })
  let place = page.getByRole('main')
  if (await opens.isVisible()) {
    await opens.click()
    place = page.getByRole('dialog')
  }
  if (option) await place.getByRole('button', { name: option }).first().click()
  const pieces = place.getByRole('group', { name: /수량$/ }).first()
  for (let i = 1; i < count; i += 1) await pieces.getByRole('button', { name: '수량 늘리기' }).click()
  await place.getByRole('button', { name: '바로구매' }).first().click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
}

/**
 * Buys this many pieces at once; returns the order's number and the amount paid, and ends on the order's page. A guest gives the sender,
 * `discounted` takes something off on the order sheet.
 */
export async function buyPieces(who, count, goods, { sender, discounted } = {}) {
  const { page } = who
  await orderPieces(who, count, goods)
  if (sender) await fillSender(who, sender)
  await fillAddress(who, DAEJEON)
  await discounted?.()
  const paid = await placeOrder(who)
  await pay(who, paid)
  const orderNo = await orderNoOn(who)
  await page.getByRole('link', { name: '주문 상세' }).click()
  await page.getByText(orderNo).first().waitFor()
  return { orderNo, paid }
}

/** The rows of facts of the page, or of a part of it, with this name. */
export const factsOn = ({ page }, name, part = page) =>
  part.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })

/** The refund total on the page, or in a part of it. */
export const refundOn = async (who, part) =>
  amountIn(
    await factsOn(who, /^환불 금액$/, part)
      .first()
      .innerText(),
  )

/** An order in the member's order list. */
export const ofOrder = ({ page }, orderNo) => page.getByRole('listitem').filter({ hasText: orderNo })

/** Selects this many pieces less of the page's only purchase. */
export async function lessBy({ page }, group, count) {
  const stepper = page.getByRole('group', { name: group })
  for (let i = 0; i < count; i += 1) await stepper.getByRole('button', { name: '수량 줄이기' }).click()
}

/** Fills in a parcel. */
export const parcel = (invoiceNo) => async (dialog) => {
  await dialog.getByLabel(/택배사/).selectOption({ index: 1 })
  await dialog.getByLabel(/송장번호/).fill(invoiceNo)
}

/** Signs in to a list of purchases of the console, and opens the order. */
export async function openOrder(who, user, tab, orderNo) {
  const list = `/console/shop/purchases/${tab}`
  await who.open(`/login?next=${list}`)
  await signIn(who, user)
  await who.page.waitForURL(`**${list}`)
  await openInConsole(who, orderNo)
}

/** The first purchase of the order that is open in the console with this text. */
export const lineOf = ({ page }, text) => page.getByRole('main').getByRole('listitem').filter({ hasText: text }).first()

/** Ships the goods of the order that is open in the console, and marks them delivered. */
export async function deliver(who, name) {
  const line = lineOf(who, name)
  await act(who, line, '준비 처리')
  await act(who, line, '송장 등록', parcel(INVOICE))
  await act(who, line, '배송완료')
  await line.getByText('배송완료').first().waitFor()
}

/** The goods of a claim are picked up, and are inspected as the buyer said. */
export async function inspect(who, line, by = '구매자') {
  await act(who, line, '수거 처리', parcel(PICKUP_INVOICE))
  const asSaid = (dialog) => dialog.getByText(`구매자는 ${by} 책임으로 신청했습니다.`).waitFor()
  await act(who, line, '검수', asSaid, { name: '검수 완료' })
}

/** Approves an inspected return whose dialog shows this refund. */
export const approveReturn = (who, line, refund, seen = () => undefined) =>
  act(
    who,
    line,
    '반품 승인',
    async (dialog) => {
      await dialog.getByText('환불 금액', { exact: true }).waitFor()
      assert.equal(await refundOn(who, dialog), refund, 'what the buyer was shown')
      await seen(dialog)
    },
    { name: /환불하고 반품 승인$/ },
  )

/** Opens a picture of a claim, checks that it loads, and closes it. */
export async function pictureIsShown(page, name) {
  await page
    .getByRole('button', { name: `${name} 크게 보기` })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name })
  const picture = dialog.getByRole('img', { name: `상품 ${name}` })
  await picture.waitFor()
  await page.waitForFunction((img) => img.complete && img.naturalWidth > 0, await picture.elementHandle())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/**
 * Fills in, from the order's page, the application for the return of one of this many pieces for a reason on the buyer's side, with these
 * pictures; returns the refund shown.
 */
export async function fillReturn(who, pieces, pictures = []) {
  const { page } = who
  await page.getByRole('link', { name: '반품신청' }).first().click()
  await page.getByRole('heading', { level: 1, name: '반품 신청' }).waitFor()
  if (pieces > 1) await lessBy(who, '반품할 수량', pieces - 1)
  await page.getByRole('radio', { name: '마음이 바뀌었어요' }).check()
  await page.getByText('환불 금액', { exact: true }).waitFor()
  await who.answered()
  await page.getByText('반품 배송비').first().waitFor()
  // The pickup address defaults to the delivery address.
  assert.equal(await page.getByLabel(/^우편번호/).inputValue(), DAEJEON.postcode)
  if (pictures.length > 0) {
    await page.getByLabel('사진 추가').setInputFiles(pictures)
    await page.getByText(`사진 (${pictures.length}/5)`).waitFor()
    await who.answered()
  }
  await who.look('반품 신청')
  return refundOn(who)
}

/** Applies for that return. */
export async function applyForReturn(who, pieces, pictures) {
  const { page } = who
  const refund = await fillReturn(who, pieces, pictures)
  await page.getByRole('button', { name: '반품 신청하기' }).click()
  await page.getByRole('heading', { level: 2, name: '반품을 신청했습니다' }).waitFor()
  return refund
}

/** Applies, from the order's page, for the exchange for another option; returns the amounts named in the application. */
export async function applyForExchange(who, option, reason) {
  const { page } = who
  await page.getByRole('link', { name: '교환신청' }).first().click()
  await page.getByRole('heading', { level: 1, name: '교환 신청' }).waitFor()
  await page.getByRole('radio', { name: new RegExp(`^${option}`) }).check()
  await page.getByRole('radio', { name: reason }).check()
  // The pickup address defaults to the delivery address.
  assert.equal(await page.getByLabel(/^우편번호/).inputValue(), DAEJEON.postcode)
  const fee = amountIn(await factsOn(who, '왕복 배송비').innerText())
  const [dearer] = await factsOn(who, '옵션 차액').allInnerTexts()
  const price = dearer ? amountIn(dearer) : 0
  const cost = dearer ? amountIn(await factsOn(who, '결제하실 금액').innerText()) : fee
  assert.ok(fee > 0)
  assert.equal(cost, price + fee)
  await who.look('교환 신청')
  await page.getByRole('button', { name: '교환 신청하기' }).click()
  await page.getByRole('heading', { level: 2, name: '교환을 신청했습니다' }).waitFor()
  await who.look('교환 신청 결과')
  return { fee, price, cost }
}

/** Pays, from a page with its button, what an exchange costs. */
export async function payExchange(who, cost, amount) {
  const { page } = who
  await page.getByRole('button', { name: new RegExp(`^${cost} .* 결제$`) }).click()
  await payInWindow(who, amount)
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${cost}[을를] 결제했습니다$`) }).waitFor()
}
