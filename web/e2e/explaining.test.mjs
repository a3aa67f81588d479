// Staff open the explanation of an amount, follow it to its event, and see the causation of events.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser } from './browser.mjs'
import { amountIn, signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('an amount shows the events it came from, and the history shows their causes', () =>
  as(browser, { name: 'operator-explains' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/purchases/all')
    await signIn(who, 'operator')
    await page.waitForURL('**/console/shop/purchases/all')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^\d{8}-/ })
      .first()
      .click()
    await page.getByRole('heading', { name: '기록', exact: true }).waitFor()
    const row = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^결제금액$/ }) })
    const button = row.getByRole('button', { name: /설명$/ })
    const shown = amountIn(await button.innerText())
    await button.focus()
    await page.keyboard.press('Enter')
    const layer = page.getByRole('dialog', { name: '결제금액의 설명' })
    await layer.waitFor()
    const lines = layer.getByRole('list', { name: '결제금액의 설명' }).getByRole('listitem')
    let sum = 0
    for (const line of await lines.all()) {
      const amounts = (await line.innerText()).match(/[+-]?\$[\d,]+\.\d\d/g)
      sum += amountIn(amounts.at(-2))
      assert.equal(sum, amountIn(amounts.at(-1)))
    }
    assert.equal(sum, shown)
    await who.look('결제금액의 설명')
    await layer.getByRole('button', { name: /^상품금액/ }).click()
    await page.getByRole('dialog', { name: '상품금액의 설명' }).waitFor()
    await page.getByRole('button', { name: '위로 돌아가기' }).click()
    await page
      .getByRole('dialog', { name: '결제금액의 설명' })
      .getByRole('link', { name: '주문이 접수되었습니다' })
      .first()
      .click()
    await layer.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.id.startsWith('event-'))

    await page.getByRole('tab', { name: '원인순' }).click()
    const chain = page.getByRole('list', { name: '원인과 결과' })
    await chain.getByText('주문이 접수되었습니다').waitFor()
    await who.look('원인순 기록')
    await chain.getByRole('link', { name: '재고' }).first().click()
    await page.getByRole('heading', { level: 1, name: '재고 장부' }).waitFor()
    await page
      .getByRole('button', { name: /개 ?설명$/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: '판매 가능 재고의 설명' }).waitFor()
    await who.look('재고 장부')
  }))
