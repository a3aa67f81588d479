// A seller's morning: what has to be sent, prepared, read out for a courier's program, printed, shipped with numbers from a file, and one
// of them corrected.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, shopUrl } from './browser.mjs'
import { tokenOf } from './places.mjs'
import { signIn } from './steps.mjs'

const SELLER = 'kickcity'
const PARCELS = 100
const GOODS = '발송 연습 사은품'

let browser
const orderNos = []

/** Calls the server as this member. */
async function send(method, path, token, body) {
  const answer = await fetch(shopUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Orders that cost nothing are paid at once, so many can be placed without the payment window. */
async function placeOrders() {
  const seller = await tokenOf(SELLER)
  const group = { name: '무료 발송', isActive: true, options: [{ name: '택배', fixedAmount: 0 }] }
  const { shipping } = await send('POST', '/api/console/shop/shippings', seller, group)
  const product = { code: 'GIFT-1', name: GOODS, price: 0, shows: true, stock: 500, _shipping: shipping._id }
  const { product: made } = await send('POST', '/api/console/shop/products', seller, product)
  const buyer = await tokenOf('shopper05')
  const person = { name: '홍길동', phone: '010-1234-5678', email: 'hong@example.com' }
  for (let n = 0; n < PARCELS; n += 1) {
    const { order } = await send('POST', '/api/v1/shop/orders', buyer, {
      carts: [{ _product: made._id, quantity: 1 + (n % 3) }],
      sender: person,
      receiver: {
        name: `김받음${n}`,
        phone: '010-8765-4321',
        postcode: '06236',
        address1: `서울시 강남구 테헤란로 ${n + 1}`,
      },
      requestMessage: n % 2 ? '문 앞에 놓아 주세요' : undefined,
      _terms: ['purchase', 'privacy', 'privacy-third'],
    })
    orderNos.push(order.orderNo)
  }
}

before(async () => {
  browser = await openBrowser()
  await placeOrders()
})
after(() => browser?.close())

/** Selects everything that matches the list. */
async function selectAll({ page }) {
  await page.getByRole('table').getByRole('checkbox').first().check()
  const all = page.getByRole('button', { name: /^조건에 맞는/ })
  if (await all.isVisible()) await all.click()
}

test('a seller sends the parcels of the morning', () =>
  as(browser, { name: 'parcels-seller' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/dispatch/new')
    await signIn(who, SELLER)
    await page.getByRole('heading', { level: 1, name: '발송 · 신규' }).waitFor()
    await who.open(`/console/shop/dispatch/new?q=${encodeURIComponent(GOODS)}`)
    await page.getByText(`${PARCELS}건`).first().waitFor()
    await who.look('신규')
    await selectAll(who)
    await page.getByRole('button', { name: '준비 처리', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: '준비 처리' }).click()
    await page.getByText(`${PARCELS}건 완료`).first().waitFor({ timeout: 60_000 })
    await who.answered()

    await page
      .getByRole('navigation', { name: '발송' })
      .getByRole('link', { name: /^준비중/ })
      .click()
    await page.getByText(`${PARCELS}건`).first().waitFor()
    await selectAll(who)
    await who.look('준비중')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '택배사 파일 받기' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^parcels-.*\.xlsx$/)
    assert.ok((await readFile(await file.path())).length > 5_000)

    await page.getByRole('table').getByRole('checkbox').first().uncheck()
    await page.getByRole('table').getByRole('checkbox').first().check()
    await page.getByRole('button', { name: '인쇄', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: '라벨·명세서 인쇄' }).waitFor()
    await page.getByText('06236').first().waitFor()
    await who.look('라벨')
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.locator('.print-sheets .print-label').first().isVisible())
    assert.ok(!(await page.getByRole('heading', { level: 1 }).isVisible()), 'only the sheets are printed')
    const sheets = await page.locator('.print-sheets .print-label').count()
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, sheets, 'a page for each label')
    await page.emulateMedia({ media: null })
    await page.getByRole('button', { name: '거래명세서 (A4)' }).click()
    await page.getByRole('heading', { level: 2, name: '거래명세서' }).first().waitFor()
    await who.look('명세서')

    await who.open(`/console/shop/dispatch/preparing?q=${encodeURIComponent(GOODS)}`)
    await page.getByRole('button', { name: '송장 파일 올리기' }).click()
    const rows = orderNos.map((no, n) => `${no}-1,CJ대한통운,6400876${String(n).padStart(5, '0')}`)
    rows.push(`${orderNos[0]}-1,한진택배,640087699999`, '20260101-AAAAAAAA-1,한진택배,640087699998')
    const path = join(tmpdir(), `jangbu-parcels-${process.pid}.csv`)
    await writeFile(path, `구매번호,택배사,송장번호\n${rows.join('\n')}\n`)
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByText(`전체 ${PARCELS + 2}행: 발송 ${PARCELS}, 이미 발송 0, 오류 2`).waitFor({ timeout: 60_000 })
    await who.look('송장 미리보기')
    const start = Date.now()
    await dialog.getByRole('button', { name: `${PARCELS}행 반영하기` }).click()
    await dialog
      .getByText(`${PARCELS}행을 반영했고, 오류가 있는 2행은 반영하지 않았습니다.`)
      .waitFor({ timeout: 60_000 })
    process.stdout.write(`${PARCELS} parcels in ${Date.now() - start} ms\n`)
    await who.look('발송 결과')
    await dialog.getByRole('button', { name: '닫기' }).last().click()

    await page
      .getByRole('navigation', { name: '발송' })
      .getByRole('link', { name: /^배송중/ })
      .click()
    await page.getByText(`${PARCELS}건`).first().waitFor()
    await who.look('배송중')
    await page.getByRole('table').getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: '송장 수정', exact: true }).click()
    await dialog.getByRole('textbox', { name: /송장번호/ }).fill('555566667777')
    await dialog.getByRole('button', { name: '송장 수정' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('555566667777').waitFor()
    await who.look('송장을 수정한 주문')
  }))

test('on a phone the list and its search work as well', () =>
  as(browser, { name: 'parcels-phone', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/dispatch/shipping')
    await signIn(who, SELLER)
    await page.getByRole('heading', { level: 1, name: '발송 · 배송중' }).waitFor()
    const box = page.getByRole('main').getByRole('searchbox')
    await box.fill(orderNos[7].slice(9, 14))
    await box.press('Enter')
    await page.getByText(orderNos[7]).first().waitFor()
    await who.look('번호의 일부로 찾기')
    await box.fill('4321')
    await box.press('Enter')
    await page.getByText(`${PARCELS}건`).first().waitFor()
    await who.look('끝 네 자리로 찾기')
  }))
