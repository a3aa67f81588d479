// Staff send an alarm to a target: counted and previewed, then sent at a pace. The first member's open page shows it; staff stop half-way
// and take it back. A mail to a member bounces, and staff see it.
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

async function fillSending(page, usernames, title, pace) {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('아이디', { exact: true }).click()
  await dialog.getByRole('textbox', { name: /^아이디/ }).fill(usernames.join('\n'))
  await dialog.getByRole('textbox', { name: /^제목/ }).fill(title)
  await dialog.getByRole('textbox', { name: /^내용/ }).fill('내일 새벽 두 시부터 한 시간 동안 점검합니다.')
  await dialog.getByRole('textbox', { name: /^분당 발송 수/ }).fill(String(pace))
  await dialog.getByRole('button', { name: '받을 회원 세기' }).click()
  await dialog.getByText(`대상 ${usernames.length}명 가운데 ${usernames.length}명이 받습니다.`).waitFor()
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
        const dialog = await fillSending(page, [member, ...others], title, 1)
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
    const rule = { step: 'rcpt', fault: 'refuse', code: 550, to: `${unreachable}@example.com` }
    const told = await fetch(`${sandboxUrl}/sandbox/mails/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rule),
    })
    assert.equal(told.status, 204)
    await as(browser, { name: `mails-${name}`, screen }, async (staff) => {
      const { page } = staff
      await staff.open('/login?next=/console/messages')
      await signIn(staff, 'operator')
      await page.getByRole('button', { name: '메일 보내기' }).click()
      const dialog = await fillSending(page, [unreachable], `점검 메일 ${name}`, 600)
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
