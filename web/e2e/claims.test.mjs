// Claims for part of the quantity, from the application to the refund in the payment service: a member cancels one of three pieces and
// returns one of two, another exchanges goods for another option, a guest cancels on a phone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import {
  applyForExchange,
  applyForReturn,
  approveReturn,
  buyPieces,
  deliver,
  INVOICE,
  inspect,
  lessBy,
  lineOf,
  ofOrder,
  openOrder,
  PICKUP_INVOICE,
  PICTURE,
  parcel,
  payExchange,
  pictureIsShown,
  REPLACEMENT_INVOICE,
  refundOn,
} from './claim-steps.mjs'
import { act, balanceOf, openInConsole, signIn } from './steps.mjs'

const JUICE = { name: '배 착즙주스' }
const GUEST = { name: '나그네', phone: '01055556666', email: 'guest@example.com' }

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a member cancels one of three pieces: it is refunded, the others stay', () =>
  as(browser, { name: 'piece-canceler' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, 'shopper12')
    const { orderNo, paid } = await buyPieces(who, 3, JUICE)
    await page.getByRole('link', { name: '주문취소' }).click()
    await page.getByRole('heading', { level: 1, name: '주문 취소' }).waitFor()
    await page.getByText('환불 금액', { exact: true }).waitFor()
    await who.answered()
    const all = await refundOn(who)
    assert.equal(all, paid, 'all pieces give all of it back')
    await lessBy(who, `${JUICE.name} 취소할 수량`, 2)
    await who.answered()
    const one = await refundOn(who)
    assert.ok(one > 0 && one < all / 2, `a third gives about a third back: ${one} of ${all}`)
    await page.getByRole('radio', { name: '마음이 바뀌었어요' }).check()
    await who.look('한 개만 취소')
    await page.getByRole('button', { name: '취소하기' }).click()
    await page.getByRole('heading', { level: 2, name: '취소했습니다' }).waitFor()
    await page.getByText(`${JUICE.name} · 1개`).waitFor()
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
    return buyPieces(who, 2, JUICE)
  })
  await as(browser, { name: 'operator-sends' }, async (who) => {
    await openOrder(who, 'operator', 'payment', orderNo)
    await deliver(who, JUICE.name)
  })

  const expected = await as(browser, { name: 'piece-returner', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper13')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    await applyForReturn(who, 2)
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
    const refund = await applyForReturn(who, 1, [PICTURE, PICTURE])
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
    const line = lineOf(who, '반품요청')
    await act(who, line, '수거 처리', async (dialog) => {
      await parcel(PICKUP_INVOICE)(dialog)
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
    await approveReturn(who, line, expected, () => who.look('반품 승인'))
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
    await openOrder(who, 'operator', 'complete', orderNo)
    const goods = page.getByRole('main').getByRole('listitem').filter({ hasText: JUICE.name })
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
    await approveReturn(who, asked, left)
    assert.equal(await balanceOf(orderNo, paid - expected - left), paid - expected - left)
    await page.reload()
    await who.look('확정 뒤 반품된 주문')
  })
})

const BIKE = { name: '봄날 시티 바이크', option: '민트', other: '하양', seller: 'hangang' }

test('a member exchanges goods for another option: picked up, inspected, fee paid, replacement delivered', async () => {
  const { orderNo } = await as(browser, { name: 'exchange-buyer' }, async (who) => {
    await who.open('/login?next=/')
    await signIn(who, 'shopper02')
    return buyPieces(who, 1, BIKE)
  })
  await as(browser, { name: 'seller-sends' }, async (who) => {
    await openOrder(who, BIKE.seller, 'payment', orderNo)
    await deliver(who, BIKE.name)
  })

  const fee = await as(browser, { name: 'exchanger', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper02')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    const { fee, price } = await applyForExchange(who, BIKE.other, '사이즈나 색상이 맞지 않아요')
    assert.equal(price, 0)
    await page.getByRole('link', { name: '신청 내역 보기' }).click()
    await page.getByRole('heading', { level: 1, name: '교환 상세' }).waitFor()
    await who.look('교환 상세')
    return fee
  })

  await as(browser, { name: 'seller-exchanges' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/exchange')
    await signIn(who, BIKE.seller)
    await page.waitForURL('**/console/shop/purchases/exchange')
    await who.look('교환 목록')
    await openInConsole(who, orderNo)
    const line = lineOf(who, BIKE.name)
    await act(who, line, '교환 승인')
    await inspect(who, line)
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
    await payExchange(who, '교환 배송비', fee)
    await who.look('결제한 교환 배송비')
    await page.reload()
    await page.getByRole('link', { name: '교환 상세' }).click()
    await page.getByText('결제 완료 (신용·체크카드)').waitFor()
    assert.equal(await page.getByRole('button', { name: /^교환 배송비/ }).count(), 0)
    await who.look('배송비를 결제한 교환')
  })

  await as(browser, { name: 'operator-exchanges' }, async (who) => {
    const { page } = who
    await openOrder(who, 'operator', 'exchange', orderNo)
    const line = lineOf(who, BIKE.name)
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
    await openOrder(who, BOX.seller, 'payment', orderNo)
    await deliver(who, BOX.name)
  })

  const { price, cost } = await as(browser, { name: 'box-exchanger', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/orders')
    await signIn(who, 'shopper03')
    await page.waitForURL('**/mypage/orders')
    await page.getByRole('link', { name: `${orderNo} 주문 상세` }).click()
    const costs = await applyForExchange(who, BOX.other, '마음이 바뀌었어요')
    assert.ok(costs.price > 0)
    return costs
  })

  await as(browser, { name: 'box-seller-exchanges' }, async (who) => {
    await openOrder(who, BOX.seller, 'exchange', orderNo)
    const line = lineOf(who, BOX.name)
    await act(who, line, '교환 승인')
    await inspect(who, line)
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
    await payExchange(who, '교환 비용', cost)
    await who.look('결제한 교환 비용')
  })
  await as(browser, { name: 'box-operator' }, async (who) => {
    const { page } = who
    await openOrder(who, 'operator', 'exchange', orderNo)
    const line = lineOf(who, BOX.name)
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
    return applyForReturn(who, 1)
  })
  await as(browser, { name: 'box-refunder' }, async (who) => {
    const { page } = who
    await openOrder(who, 'operator', 'return', orderNo)
    const line = lineOf(who, BOX.name)
    await inspect(who, line)
    await approveReturn(who, line, back)
    await page.reload()
    await who.look('두 결제로 환불한 주문')
  })
  // The difference goes back with the payment that paid it, the rest with the order's.
  assert.equal(await balanceOf(`${orderNo}-1`, paid - (back - price)), paid - (back - price))
  assert.equal(await balanceOf(`${orderNo}-F1`, cost - price), cost - price)
})

test('a guest cancels a purchase on a phone', () =>
  as(browser, { name: 'guest-canceler', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    const { orderNo } = await buyPieces(who, 1, { name: '콩알 미니벨로', option: '노랑' }, { sender: GUEST })
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
