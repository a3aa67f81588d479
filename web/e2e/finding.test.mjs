// Who forgot the password comes back: asks for a mail, reads it in the sandbox, follows the link, and signs in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE, sandboxUrl } from './browser.mjs'
import { PASSWORD, signIn } from './steps.mjs'

const NEW_PASSWORD = 'baram#2026'
const MEMBER = {
  아이디: 'forgetful1',
  비밀번호: PASSWORD,
  '비밀번호 확인': PASSWORD,
  이름: '한가람',
  닉네임: '한가람',
  이메일: 'forgetful1@example.com',
  '휴대폰 번호': '01087654321',
}

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** Opens the link of the newest mail with this subject, from the sandbox's page of received mail. */
async function followLink({ page }, subject) {
  const mail = page.getByRole('listitem').filter({ hasText: MEMBER.이메일 }).filter({ hasText: subject }).first()
  for (let tries = 0; tries < 60; tries += 1) {
    await page.goto(`${sandboxUrl}/mails`)
    if (await mail.isVisible()) break
    await page.waitForTimeout(250)
  }
  const link = mail.getByRole('link').first()
  const address = await link.getAttribute('href')
  await link.click()
  return address
}

test('a member who forgot the id and the password finds both by mail', async () => {
  await as(browser, { name: 'forgetful', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/join/agreement?type=PERSON')
    await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
    await page.getByRole('button', { name: '다음' }).click()
    for (const [label, value] of Object.entries(MEMBER)) await page.getByLabel(new RegExp(`^${label}\\*?$`)).fill(value)
    await page.getByRole('button', { name: '가입하기' }).click()
    await page.waitForURL('**/join/done')

    await who.open('/login')
    await page.getByRole('link', { name: '아이디 찾기' }).click()
    await page.getByLabel('이메일').fill(MEMBER.이메일)
    await who.look('아이디 찾기')
    await page.getByRole('button', { name: '메일 받기' }).click()
    await page.getByRole('heading', { name: '메일을 확인해 주세요' }).waitFor()
    await who.look('메일 확인 안내')
    await followLink(who, '아이디 확인 안내')
    await page.getByRole('button', { name: '아이디 확인하기' }).click()
    await page.getByText(MEMBER.아이디, { exact: true }).waitFor()
    await who.look('찾은 아이디')

    await page.getByRole('link', { name: '비밀번호 찾기' }).click()
    await page.getByLabel('아이디', { exact: true }).fill(MEMBER.아이디)
    await page.getByLabel('이메일').fill(MEMBER.이메일)
    await who.look('비밀번호 찾기')
    await page.getByRole('button', { name: '메일 받기' }).click()
    await page.getByRole('heading', { name: '메일을 확인해 주세요' }).waitFor()
    const link = await followLink(who, '비밀번호 재설정 안내')
    await page.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('새 비밀번호 확인').fill(NEW_PASSWORD)
    await who.look('비밀번호 재설정')
    await page.getByRole('button', { name: '비밀번호 변경' }).click()
    await page.getByText('새 비밀번호로 로그인해 주세요.').waitFor()

    // The link is used up.
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('새 비밀번호 확인').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: '비밀번호 변경' }).click()
    await page.getByText('이미 사용한 링크입니다.').waitFor()
    who.wasRefused(409)
    await who.look('사용한 링크')

    await page.getByRole('link', { name: '처음부터 다시 하기' }).waitFor()
    await who.open('/login?next=/mypage')
    await signIn(who, MEMBER.아이디, NEW_PASSWORD)
    assert.equal(new URL(page.url()).pathname, '/mypage')
  })
  await as(browser, { name: 'staff' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/messages')
    await signIn(who, 'operator')
    await page.getByRole('table', { name: '발송 메시지' }).waitFor()
    await page
      .getByRole('cell', { name: /비밀번호 변경 안내/ })
      .first()
      .waitFor()
    await who.look('발송 메시지')
  })
})
