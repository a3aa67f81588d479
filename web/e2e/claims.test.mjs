// Claims for part of the quantity, from the application to the refund in the payment service: a member cancels one of three pieces and
// returns one of two, another exchanges goods for another option, a guest cancels on a phone.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import {
  act,
  amountIn,
  balanceOf,
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
const PICTURE = join(import.meta.dirname, '../public/share.png')
const JUICE = '배 착즙주스'
const INVOICE = '640087654321'
const PICKUP_INVOICE = '640011112222'
const REPLACEMENT_INVOICE = '640033334444'
const DAEJEON = { postcode: '35242', address: '대전광역시 서구 둔산로 100' }

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Buys this many pieces at once; returns the order's number and the amount paid, and ends on the order's page. */
async function buyPieces(who, count, { name, option } = { name: JUICE }) {
  const { page } = who
  await find(who, name, name)
  if (option) await page.getByRole('main').getByRole('button', { name: option }).first().click()
  const pieces = page.getByRole('group', { name: /수량$/ }).first()
  for (let i = 1; i < count; i += 1) await pieces.getByRole('button', { name: '수량 늘리기' }).click()
  await page.getByRole('button', { name: '바로구매' }).first().click()
  await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
  await fillAddress(who, DAEJEON)
  const paid = await placeOrder(who)
  await pay(who, paid)
  const orderNo = await orderNoOn(who)
  await page.getByRole('link', { name: '주문 상세' }).click()
  await page.getByText(orderNo).first().waitFor()
  return { orderNo, paid }
}

/** The refund total on the page, or in a part of it. */
async function refundOn({ page }, part = page) {
  const row = part.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^환불 금액$/ }) })
  return amountIn(await row.first().innerText())
}

/** An order in the member's order list. */
const ofOrder = ({ page }, orderNo) => page.getByRole('listitem').filter({ hasText: orderNo })

/** Selects this many pieces of the page's only purchase. */
async function lessBy({ page }, group, count) {
  const stepper = page.getByRole('group', { name: group })
  for (let i = 0; i < count; i += 1) await stepper.getByRole('button', { name: '수량 줄이기' }).click()
}

test('a member cancels one of three pieces: it is refunded, the others stay', () =>
  as(browser, { name: 'piece-canceler' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, 'shopper12')
    const { orderNo, paid } = await buyPieces(who, 3)
    await page.getByRole('link', { name: '주문취소' }).click()
    await page.getByRole('heading', { level: 1, name: '주문 취소' }).waitFor()
    await page.getByText('환불 금액', { exact: true }).waitFor()
    await who.answered()
    const all = await refundOn(who)
    assert.equal(all, paid, 'all pieces give all of it back')
    await lessBy(who, `${JUICE} 취소할 수량`, 2)
    await who.answered()
    const one = await refundOn(who)
    assert.ok(one > 0 && one < all / 2, `a third gives about a third back: ${one} of ${all}`)
    await page.getByRole('radio', { name: '마음이 바뀌었어요' }).check()
    await who.look('한 개만 취소')
    await page.getByRole('button', { name: '취소하기' }).click()
    await page.getByRole('heading', { level: 2, name: '취소했습니다' }).waitFor()
    await page.getByText(`${JUICE} · 1개`).waitFor()
    await who.look('한 개 취소 결과')
    assert.equal(await balanceOf(orderNo, paid - one), paid - one)

    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 1, name: '취소 상세' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 2, name: '환불 내역' }).waitFor()
    assert.equal(await refundOn(who), one)
    await who.look('취소 상세')
    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    // Two pieces are still to be delivered.
    await page.getByText('2개').first().waitFor()
    await who.open('/mypage/orders/cancel')
    await page.getByText(orderNo).first().waitFor()
    await who.look('취소 내역')
  }))

test('a member returns one of two pieces: picked up, inspected, approved, refunded', async () => {
  const { orderNo, paid } = await as(browser, { name: 'piece-buyer' }, async (who) => {
    await who.open('/login?next=/')
    await signIn(who, 'shopper13')
    return buyPieces(who, 2)
  })
  await as(browser, { name: 'operator-sends' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/payment')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/payment')
    await openInConsole(who, orderNo)
    await deliver(who, JUICE)
  })

  const expected = await as(browser, { name: 'piece-returner', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper13')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await apply(who, 2)
    await who.look('반품 신청 결과')

    // After withdrawal it can be applied for again; the two pieces stay split.
    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 1, name: '반품 상세' }).waitFor()
    await who.look('반품 상세')
    await page.getByRole('button', { name: '신청 철회' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: '신청 철회' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('신청을 철회했습니다.').first().waitFor()
    await who.look('철회한 반품')
    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    const refund = await apply(who, 1, [PICTURE, PICTURE])
    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 2, name: '상품 사진' }).waitFor()
    await pictureIsShown(page, '사진 2')
    await who.look('사진이 있는 반품 상세')
    return refund
  })

  await as(browser, { name: 'operator-returns' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/return')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/return')
    await page.getByRole('button', { name: '사진 2 크게 보기' }).first().waitFor()
    await who.look('반품 목록')
    await openInConsole(who, orderNo)
    await pictureIsShown(page, '사진 1')
    await who.look('사진이 있는 반품')
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: '반품요청' }).first()
    await act(who, line, '수거 처리', async (dialog) => {
      await dialog.getByLabel(/택배사/).selectOption({ index: 1 })
      await dialog.getByLabel(/송장번호/).fill(PICKUP_INVOICE)
      await who.look('수거 처리')
    })
    await act(
      who,
      line,
      '검수',
      async (dialog) => {
        await dialog.getByText('구매자는 구매자 책임으로 신청했습니다.').waitFor()
        await who.look('검수')
      },
      { name: '검수 완료' },
    )
    await act(
      who,
      line,
      '반품 승인',
      async (dialog) => {
        await dialog.getByText('환불 금액', { exact: true }).waitFor()
        assert.equal(await refundOn(who), expected, 'what the buyer was shown')
        await who.look('반품 승인')
      },
      { name: /환불하고 반품 승인$/ },
    )
    assert.equal(await balanceOf(orderNo, paid - expected), paid - expected)
    await page.reload()
    await page.getByText('반품완료').first().waitFor()
    await page.getByText(PICKUP_INVOICE).first().waitFor()
    await who.look('반품된 주문')
  })

  await as(browser, { name: 'piece-refunded', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders/return')
    await signIn(who, 'shopper13')
    await page.waitForURL('**/mypage/orders/return')
    await page.getByText(orderNo).first().waitFor()
    await who.look('반품 내역')
    await ofOrder(who, orderNo).getByRole('link', { name: '반품 상세' }).first().click()
    await page.getByRole('heading', { level: 2, name: '환불 내역' }).waitFor()
    assert.equal(await refundOn(who), expected)
    await page.getByText(PICKUP_INVOICE).waitFor()
    await who.look('완료된 반품')

    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    await page.getByRole('button', { name: '구매확정', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '구매확정' }).click()
    await page.getByRole('button', { name: '구매확정', exact: true }).waitFor({ state: 'detached' })
    await who.answered()
  })

  // A confirmed purchase is returned only by staff.
  await as(browser, { name: 'operator-reopens' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/complete')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/complete')
    await openInConsole(who, orderNo)
    const goods = page.getByRole('main').getByRole('listitem').filter({ hasText: JUICE })
    const line = goods.filter({ hasText: '구매확정' }).first()
    let left
    await act(who, line, '반품 접수', async (dialog) => {
      await dialog.getByText(/구매가 확정된 상품입니다/).waitFor()
      await dialog.getByLabel(/사유/).fill('병에 금이 갔습니다')
      await dialog.getByRole('radio', { name: '판매자' }).check()
      await dialog.getByText('환불 금액', { exact: true }).waitFor()
      left = await refundOn(who, dialog)
      await who.look('반품 접수')
    })
    const asked = goods.filter({ hasText: '반품요청' }).first()
    await act(who, asked, '수거 처리', () => undefined)
    const isOurs = (dialog) => dialog.getByText('구매자는 판매자 책임으로 신청했습니다.').waitFor()
    await act(who, asked, '검수', isOurs, { name: '검수 완료' })
    const isShown = async (dialog) => {
      await dialog.getByText('환불 금액', { exact: true }).waitFor()
      assert.equal(await refundOn(who, dialog), left)
    }
    await act(who, asked, '반품 승인', isShown, { name: /환불하고 반품 승인$/ })
    assert.equal(await balanceOf(orderNo, paid - expected - left), paid - expected - left)
    await page.reload()
    await who.look('확정 뒤 반품된 주문')
  })
})

/** Fills in a parcel. */
const parcel = (invoiceNo) => async (dialog) => {
  await dialog.getByLabel(/택배사/).selectOption({ index: 1 })
  await dialog.getByLabel(/송장번호/).fill(invoiceNo)
}

/** Ships the goods of the order that is open in the console, and marks them delivered. */
async function deliver(who, name) {
  const line = who.page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first()
  await act(who, line, '준비 처리')
  await act(who, line, '송장 등록', parcel(INVOICE))
  await act(who, line, '배송완료')
  await line.getByText('배송완료').first().waitFor()
}

const BIKE = { name: '봄날 시티 바이크', option: '민트', other: '하양', seller: 'hangang' }

test('a member exchanges goods for another option: picked up, inspected, fee paid, replacement delivered', async () => {
  const { orderNo } = await as(browser, { name: 'exchange-buyer' }, async (who) => {
    await who.open('/login?next=/')
    await signIn(who, 'shopper02')
    return buyPieces(who, 1, BIKE)
  })
  await as(browser, { name: 'seller-sends' }, async (who) => {
    await who.open('/login?next=/console/shop/purchases/payment')
    await signIn(who, BIKE.seller)
    await who.page.waitForURL('**/console/shop/purchases/payment')
    await openInConsole(who, orderNo)
    await deliver(who, BIKE.name)
  })

  const fee = await as(browser, { name: 'exchanger', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper02')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await page.getByRole('link', { name: '교환신청' }).first().click()
    await page.getByRole('heading', { level: 1, name: '교환 신청' }).waitFor()
    await page.getByRole('radio', { name: new RegExp(BIKE.other) }).check()
    await page.getByRole('radio', { name: '사이즈나 색상이 맞지 않아요' }).check()
    // The pickup address defaults to the delivery address.
    assert.equal(await page.getByLabel(/^우편번호/).inputValue(), DAEJEON.postcode)
    const row = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: '왕복 배송비' }) })
    const due = amountIn(await row.innerText())
    assert.ok(due > 0)
    await who.look('교환 신청')
    await page.getByRole('button', { name: '교환 신청하기' }).click()
    await page.getByRole('heading', { level: 2, name: '교환을 신청했습니다' }).waitFor()
    await who.look('교환 신청 결과')
    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 1, name: '교환 상세' }).waitFor()
    await who.look('교환 상세')
    return due
  })

  await as(browser, { name: 'seller-exchanges' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/exchange')
    await signIn(who, BIKE.seller)
    await page.waitForURL('**/console/shop/purchases/exchange')
    await who.look('교환 목록')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BIKE.name }).first()
    await act(who, line, '교환 승인')
    await act(who, line, '수거 처리', parcel(PICKUP_INVOICE))
    await act(who, line, '검수', (dialog) => dialog.getByText('구매자는 구매자 책임으로 신청했습니다.').waitFor(), {
      name: '검수 완료',
    })
    await line.getByRole('button', { name: '교환 거부' }).waitFor()
    // Before the fee is paid nothing is sent, and the shop's bank account is checked by staff.
    for (const name of ['교환 상품 발송', '배송비 입금 확인'])
      assert.equal(await line.getByRole('button', { name }).count(), 0)
    await who.look('검수한 교환')
  })

  await as(browser, { name: 'exchange-payer', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper02')
    await who.open('/mypage/orders?filter=exchange')
    await who.look('교환 내역')
    await ofOrder(who, orderNo).getByRole('link', { name: '교환 상세' }).first().click()
    // The bank account stays as the alternative.
    await page.getByText('입금 계좌').waitFor()
    await who.look('교환 배송비 결제')
    await page.getByRole('button', { name: /^교환 배송비 .* 결제$/ }).click()
    await payInWindow(who, fee)
    await page.getByRole('heading', { level: 1, name: '교환 배송비를 결제했습니다' }).waitFor()
    await who.look('결제한 교환 배송비')
    await page.reload()
    await page.getByRole('link', { name: '교환 상세' }).click()
    await page.getByText('결제 완료 (신용·체크카드)').waitFor()
    assert.equal(await page.getByRole('button', { name: /^교환 배송비/ }).count(), 0)
    await who.look('배송비를 결제한 교환')
  })

  await as(browser, { name: 'operator-exchanges' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/exchange')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/exchange')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BIKE.name }).first()
    await page.getByText('결제 완료 (신용·체크카드)').first().waitFor()
    await line.getByRole('button', { name: '교환 상품 발송' }).waitFor()
    assert.equal(await line.getByRole('button', { name: '배송비 입금 확인' }).count(), 0)
    await act(who, line, '교환 상품 발송', parcel(INVOICE))
    await act(who, line, '교환 송장 수정', async (dialog) => {
      assert.equal(await dialog.getByLabel(/송장번호/).inputValue(), INVOICE)
      await dialog.getByLabel(/송장번호/).fill(REPLACEMENT_INVOICE)
    })
    await act(who, line, '교환 배송완료')
    await page.getByText('교환완료').first().waitFor()
    await who.look('교환한 주문')
  })

  await as(browser, { name: 'exchanged', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper02')
    await who.open('/mypage/orders?filter=exchange&step=completed')
    await page.getByText(orderNo).first().waitFor()
    await ofOrder(who, orderNo).getByRole('link', { name: '교환 상세' }).first().click()
    await page.getByText(REPLACEMENT_INVOICE).waitFor()
    await page.getByText(`${BIKE.name} · ${BIKE.other} · 1개`).first().waitFor()
    await who.look('완료된 교환')
  })
})

const BOX = { name: '오렌지 착즙주스', option: '1병', other: '6병', seller: 'freshpress' }

test('a member exchanges for a dearer option, pays the difference, and returns it: money goes back on both payments', async () => {
  const { orderNo, paid } = await as(browser, { name: 'box-buyer' }, async (who) => {
    await who.open('/login?next=/')
    await signIn(who, 'shopper03')
    return buyPieces(who, 1, BOX)
  })
  await as(browser, { name: 'box-seller' }, async (who) => {
    await who.open('/login?next=/console/shop/purchases/payment')
    await signIn(who, BOX.seller)
    await who.page.waitForURL('**/console/shop/purchases/payment')
    await openInConsole(who, orderNo)
    await deliver(who, BOX.name)
  })

  const { price, cost } = await as(browser, { name: 'box-exchanger', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper03')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await page.getByRole('link', { name: '교환신청' }).first().click()
    await page.getByRole('heading', { level: 1, name: '교환 신청' }).waitFor()
    await page.getByRole('radio', { name: new RegExp(`^${BOX.other}`) }).check()
    await page.getByRole('radio', { name: '마음이 바뀌었어요' }).check()
    const row = (name) => page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })
    const [price, fee, cost] = [
      amountIn(await row('옵션 차액').innerText()),
      amountIn(await row('왕복 배송비').innerText()),
      amountIn(await row('결제하실 금액').innerText()),
    ]
    assert.ok(price > 0 && fee > 0)
    assert.equal(cost, price + fee)
    await who.look('더 비싼 옵션으로 교환 신청')
    await page.getByRole('button', { name: '교환 신청하기' }).click()
    await page.getByRole('heading', { level: 2, name: '교환을 신청했습니다' }).waitFor()
    await who.look('더 비싼 옵션으로 교환 신청 결과')
    return { price, cost }
  })

  await as(browser, { name: 'box-seller-exchanges' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/exchange')
    await signIn(who, BOX.seller)
    await page.waitForURL('**/console/shop/purchases/exchange')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BOX.name }).first()
    await act(who, line, '교환 승인')
    await act(who, line, '수거 처리', parcel(PICKUP_INVOICE))
    await act(who, line, '검수', () => undefined, { name: '검수 완료' })
    await line.getByRole('button', { name: '교환 거부' }).waitFor()
    // Nothing is sent before the difference is paid.
    assert.equal(await line.getByRole('button', { name: '교환 상품 발송' }).count(), 0)
    await who.look('차액을 기다리는 교환')
  })

  await as(browser, { name: 'box-payer', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders?filter=exchange')
    await signIn(who, 'shopper03')
    await page.waitForURL('**/mypage/orders?filter=exchange')
    await ofOrder(who, orderNo).getByRole('link', { name: '교환 상세' }).first().click()
    await page.getByRole('button', { name: /^교환 비용 .* 결제$/ }).waitFor()
    // A bank transfer could not go back by itself.
    assert.equal(await page.getByText('입금 계좌').count(), 0)
    await who.look('교환 비용 결제')
    await page.getByRole('button', { name: /^교환 비용 .* 결제$/ }).click()
    await payInWindow(who, cost)
    await page.getByRole('heading', { level: 1, name: '교환 비용을 결제했습니다' }).waitFor()
    await who.look('결제한 교환 비용')
  })
  await as(browser, { name: 'box-operator' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/exchange')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/exchange')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BOX.name }).first()
    await act(who, line, '교환 상품 발송', parcel(REPLACEMENT_INVOICE))
    await act(who, line, '교환 배송완료')
    await page.getByText('교환완료').first().waitFor()
    await who.look('더 비싼 옵션으로 교환한 주문')
  })

  const back = await as(browser, { name: 'box-returner', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper03')
    await page.waitForURL('**/mypage/orders')
    await who.open('/mypage/orders?filter=exchange&step=completed')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await who.look('더 비싼 옵션을 받은 주문')
    return apply(who, 1)
  })
  await as(browser, { name: 'box-refunder' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/return')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/return')
    await openInConsole(who, orderNo)
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: BOX.name }).first()
    await act(who, line, '수거 처리', () => undefined)
    await act(who, line, '검수', () => undefined, { name: '검수 완료' })
    const isShown = async (dialog) => {
      await dialog.getByText('환불 금액', { exact: true }).waitFor()
      assert.equal(await refundOn(who, dialog), back)
    }
    await act(who, line, '반품 승인', isShown, { name: /환불하고 반품 승인$/ })
    await page.reload()
    await who.look('두 결제로 환불한 주문')
  })
  // The difference goes back with the payment that paid it, the rest with the order's.
  assert.equal(await balanceOf(`${orderNo}-1`, paid - (back - price)), paid - (back - price))
  assert.equal(await balanceOf(`${orderNo}-F1`, cost - price), cost - price)
})

/** Opens a picture of a claim, checks that it loads, and closes it. */
async function pictureIsShown(page, name) {
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
 * Applies, from the order's page, for the return of one of this many pieces for a reason on the buyer's side, with these pictures;
 * returns the refund shown.
 */
async function apply(who, pieces, pictures = []) {
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
  const refund = await refundOn(who)
  await who.look('반품 신청')
  await page.getByRole('button', { name: '반품 신청하기' }).click()
  await page.getByRole('heading', { level: 2, name: '반품을 신청했습니다' }).waitFor()
  return refund
}

test('a guest cancels a purchase on a phone', () =>
  as(browser, { name: 'guest-canceler', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    await find(who, '콩알', '콩알 미니벨로')
    await page.getByRole('button', { name: '구매하기' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: '노랑' }).click()
    await sheet.getByRole('button', { name: '바로구매' }).click()
    await page.getByRole('heading', { level: 1, name: '주문서' }).waitFor()
    await fillSender(who, { name: '나그네', phone: '01055556666', email: 'guest@example.com' })
    await fillAddress(who, DAEJEON)
    const paid = await placeOrder(who)
    await pay(who, paid)
    const orderNo = await orderNoOn(who)
    await page.getByRole('link', { name: '주문 상세' }).click()
    await page.waitForURL(/\/shop\/lookup/)
    await page.getByRole('link', { name: '주문취소' }).click()
    await page.waitForURL(/\/mypage\/orders\/cancel-application/)
    await page.getByRole('radio', { name: '배송이 늦어요' }).check()
    await page.getByText('환불 금액', { exact: true }).waitFor()
    await who.look('비회원 취소')
    await page.getByRole('button', { name: '취소하기' }).click()
    await page.getByRole('heading', { level: 2, name: '취소했습니다' }).waitFor()
    assert.equal(await balanceOf(orderNo, 0), 0)
    await page.getByRole('main').getByRole('link', { name: '주문 상세' }).click()
    await page.waitForURL(/\/shop\/lookup/)
    await who.look('비회원이 취소한 주문')
  }))
