// A guest writes to the shop, staff answer in the console, and the answer waits to be mailed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

for (const [name, how] of [
  ['contact-phone', { screen: PHONE }],
  ['contact-desktop', {}],
])
  test(`a guest writes, staff answer, and the answer is mailed (${name})`, async () => {
    const subject = `입점 절차를 여쭙니다 ${name}`
    await as(browser, { name, ...how }, async (who) => {
      const { page } = who
      await who.open('/center/faq')
      await page.getByRole('navigation', { name: '고객센터' }).getByRole('link', { name: '제휴·문의' }).click()
      await page.getByRole('heading', { level: 1, name: '제휴·문의' }).waitFor()
      await who.settled()
      await page.getByRole('button', { name: '문의 보내기' }).click()
      await page.getByText('문의 분류를 선택해 주세요.').waitFor()
      await who.look('빈 양식')
      await page.getByLabel(/^분류/).selectOption({ label: '입점' })
      await page.getByLabel(/^이름/).fill('김입점')
      await page.getByLabel(/^회사/).fill('입점상회')
      await page.getByLabel(/^이메일/).fill('kim@example.com')
      await page.getByLabel(/^휴대폰 번호/).fill('010-9876-5432')
      await page.getByLabel(/^제목/).fill(subject)
      await page.getByLabel(/^문의 내용/).fill('수수료가 얼마인가요?\n답을 기다립니다.')
      await page.getByRole('checkbox', { name: /동의합니다/ }).check()
      await who.look('양식')
      await page.getByRole('button', { name: '문의 보내기' }).click()
      await page.getByText(/kim@example.com 주소로/).waitFor()
      await who.look('보냄')
    })
    await as(browser, { name: `${name}-operator`, ...how }, async (who) => {
      const { page } = who
      await who.open('/login?next=/console/center/contacts')
      await signIn(who, 'operator')
      await page.getByRole('link', { name: subject }).first().waitFor()
      await who.settled()
      await who.look('제휴·문의')
      await page.getByRole('link', { name: subject }).first().click()
      await page.getByText('010-9876-5432').waitFor()
      await page.getByLabel('답변', { exact: true }).fill('담당자가 곧 연락드립니다.')
      await who.settled()
      await who.look('문의 답변')
      await page.getByRole('button', { name: '저장', exact: true }).click()
      await page.getByText('저장했습니다.').first().waitFor()
      await who.open('/console/messages')
      const sent = page.getByText('문의 답변').filter({ visible: true }).first()
      await sent.waitFor()
      assert.ok(await page.getByRole('link', { name: '제휴·문의' }).count())
      await who.settled()
      await who.look('발송 메시지')
    })
  })
