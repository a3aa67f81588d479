// Staff send an alarm to a target: counted and previewed, then sent at a pace. The first member's open page shows it; staff stop half-way
// and take it back. A mail to a member bounces, and staff see it. A text is counted in bytes, and its page says who got nothing and why.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, DESK, openBrowser, PHONE, sandboxUrl } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const bell = (page) => page.getByRole('banner').getByRole('button', { name: /^알림/ })

/** Adds a rule by which a service of the sandbox misbehaves. */
async function misbehave(service, rule) {
  const told = await fetch(`${sandboxUrl}/sandbox/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  })
  assert.equal(told.status, 204)
}

/** How many texts with this title the gateway took for a number. */
async function textsTo(number, title) {
  const answer = await fetch(`${sandboxUrl}/sandbox/texts?to=${number}`)
  const { texts } = await answer.json()
  return texts.filter((one) => one.text.includes(title)).length
}

async function fillSending(page, usernames, title, { pace, receiving = usernames.length }) {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('아이디', { exact: true }).click()
  await dialog.getByRole('textbox', { name: /^아이디/ }).fill(usernames.join('\n'))
  await dialog.getByRole('textbox', { name: /^제목/ }).fill(title)
  await dialog.getByRole('textbox', { name: /^내용/ }).fill('내일 새벽 두 시부터 한 시간 동안 점검합니다.')
  await dialog.getByRole('textbox', { name: /^분당 발송 수/ }).fill(String(pace))
  await dialog.getByRole('button', { name: '받을 회원 세기' }).click()
  await dialog.getByText(`대상 ${usernames.length}명 가운데 ${receiving}명이 받습니다.`).waitFor()
  return dialog
}

// No other test writes to the last member of each: their address is stopped here.
for (const [name, screen, member, others, unreachable] of [
  ['desk', DESK, 'shopper01', ['shopper02', 'shopper03'], 'jejuride'],
  ['phone', PHONE, 'shopper04', ['shopper05', 'shopper06'], 'namsan'],
]) {
  test(`staff send to a target, stop half-way and take it back (${name})`, async () => {
    const title = `점검 안내 ${name}`
    await as(browser, { name: `sendings-${name}-member`, screen }, async (who) => {
      await who.open('/login?next=/')
      await signIn(who, member)
      await who.open('/')
      await as(browser, { name: `sendings-${name}`, screen }, async (staff) => {
        const { page } = staff
        await staff.open('/login?next=/console/alarms')
        await signIn(staff, 'operator')
        await page.getByRole('heading', { level: 1, name: '알림' }).waitFor()
        await staff.look('회원별 알림')
        await page.getByRole('button', { name: '알림 보내기' }).click()
        const dialog = await fillSending(page, [member, ...others], title, { pace: 1 })
        await staff.look('보내기 전 미리 보기')
        await dialog.getByRole('button', { name: '3명에게 보내기' }).click()
        await page.getByRole('tab', { name: '보낸 알림' }).click()
        await page.getByText('1 / 3명').filter({ visible: true }).first().waitFor()
        await staff.look('보내는 중')
        // The member's page, open all the while.
        await bell(who.page).click()
        const drawer = who.page.getByRole('dialog')
        await drawer.getByRole('listitem').filter({ hasText: title }).waitFor()
        await who.look('받은 공지')
        await page.getByRole('button', { name: `${title} 중단` }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('내용이 틀렸습니다')
        await page.getByRole('dialog').getByRole('button', { name: '중단' }).click()
        await page.getByText('중단됨').filter({ visible: true }).first().waitFor()
        await page.getByRole('button', { name: `${title} 회수` }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('내용이 틀렸습니다')
        await page.getByRole('dialog').getByRole('button', { name: '회수' }).click()
        await page.getByText('회수됨').filter({ visible: true }).first().waitFor()
        await staff.look('회수한 알림')
        assert.deepEqual(staff.faults, [])
      })
      await who.open('/')
      await bell(who.page).click()
      await who.page.getByRole('dialog').getByRole('radiogroup', { name: '알림 종류' }).waitFor()
      await who.settled()
      assert.equal(await who.page.getByRole('dialog').getByText(title).count(), 0, 'gone from the drawer')
    })
  })

  test(`a mail to a member bounces, and staff see it (${name})`, async () => {
    await misbehave('mails/faults', { step: 'rcpt', fault: 'refuse', code: 550, to: `${unreachable}@example.com` })
    await as(browser, { name: `mails-${name}`, screen }, async (staff) => {
      const { page } = staff
      await staff.open('/login?next=/console/messages')
      await signIn(staff, 'operator')
      await page.getByRole('button', { name: '메일 보내기' }).click()
      const dialog = await fillSending(page, [unreachable], `점검 메일 ${name}`, { pace: 600 })
      await dialog.getByRole('button', { name: '1명에게 보내기' }).click()
      await page.getByRole('radiogroup').getByText('반송됨').click()
      await page.getByText('공지 메일').filter({ visible: true }).first().waitFor({ timeout: 30_000 })
      await page.getByText('(550)').filter({ visible: true }).first().waitFor()
      await staff.look('반송된 메일')
      await page.getByRole('tab', { name: '메일 발송' }).click()
      await page.getByText('1 / 1명').filter({ visible: true }).first().waitFor()
      await staff.look('메일 발송')
      assert.deepEqual(staff.faults, [])
    })
  })
}

// The gateway refuses the number of the second; the third is sent the text, and it is stopped before the last. The list shows both sendings:
// they have other numbers of receivers.
for (const [name, screen, seller, shoppers] of [
  ['desk', DESK, 'hangang', ['09', '10', '11', '12', '13']],
  ['phone', PHONE, 'kickcity', ['07', '08', '04', '05', '06', '03']],
]) {
  test(`staff send a text, stop it half-way and see who got nothing (${name})`, async () => {
    const title = `점검 문자 ${name}`
    const numbers = shoppers.map((shopper) => `010200100${shopper}`)
    const receivers = [seller, ...shoppers.map((shopper) => `shopper${shopper}`)]
    await misbehave('faults', { call: 'sendSms', fault: 'refuse', code: '1061', to: numbers[0], times: 1 })
    await as(browser, { name: `texts-${name}`, screen }, async (staff) => {
      const { page } = staff
      await staff.open('/login?next=/console/messages')
      await signIn(staff, 'operator')
      await page.getByRole('button', { name: '문자 보내기' }).click()
      const dialog = await fillSending(page, receivers, title, { pace: 6, receiving: shoppers.length })
      await dialog.getByText(/^\d+바이트 · SMS$/).waitFor()
      await dialog
        .getByRole('textbox', { name: /^내용/ })
        .fill('내일 새벽 두 시부터 한 시간 동안 점검합니다. '.repeat(4))
      await dialog.getByRole('button', { name: '받을 회원 세기' }).click()
      await dialog.getByText(/^\d+바이트 · LMS$/).waitFor()
      await dialog.getByRole('list', { name: '받지 않는 회원' }).getByText('휴대폰 번호 없음 1명').waitFor()
      await staff.look('보내기 전 문자')
      await dialog.getByRole('button', { name: `${shoppers.length}명에게 보내기` }).click()
      await page.getByRole('tab', { name: '문자 발송' }).click()
      const row = (text) => page.getByText(text).filter({ visible: true }).first()
      await row(new RegExp(`^3 / ${receivers.length}명`)).waitFor()
      const stop = page.getByRole('button', { name: `${title} 중단` })
      await stop.click()
      await page.getByRole('dialog').getByRole('textbox').fill('내용이 틀렸습니다')
      await page.getByRole('dialog').getByRole('button', { name: '중단' }).click()
      await stop.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: title, exact: true }).click()
      await row('중단됨').waitFor()
      await row('휴대폰 번호 없음').waitFor()
      await row('반송됨').waitFor()
      await staff.look('멈춘 문자')
      const taken = [numbers[0], numbers[1], numbers.at(-1)].map((number) => textsTo(number, title))
      assert.deepEqual(await Promise.all(taken), [0, 1, 0], 'the second of the shoppers alone has it')
      await staff.open('/console/messages?state=BOUNCED&channel=SMS')
      await row('없거나 받지 않는 주소입니다').waitFor()
      await row('(1061)').waitFor()
      await staff.look('반송된 문자')
      // The number is stopped: the next text does not count on it.
      await page.getByRole('button', { name: '문자 보내기' }).click()
      const next = await fillSending(page, receivers, title, { pace: 6, receiving: shoppers.length - 1 })
      await next.getByText('반송되어 중지된 주소 1명').waitFor()
      assert.deepEqual(staff.faults, [])
      await page.goto(`${sandboxUrl}/texts`)
      await row(title).waitFor()
    })
  })
}
