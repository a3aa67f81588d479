// A company joins with a picture of its business registration: it sees the copy on its page, and so does staff.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { PASSWORD, signIn } from './steps.mjs'

const PICTURE = join(import.meta.dirname, '../public/share.png')
const NEW_PASSWORD = 'sanmaru#45'
const COMPANY = {
  아이디: 'sanmaru1',
  비밀번호: PASSWORD,
  '비밀번호 확인': PASSWORD,
  이름: '김산들',
  닉네임: '산마루',
  이메일: 'sanmaru@example.com',
  '휴대폰 번호': '01012345678',
  상호: '산마루상회',
  대표자: '김산들',
  사업자등록번호: '123-45-67890',
  '통신판매업 신고번호': '2026-서울-0001',
}

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a company uploads its registration copy, sees it again, and changes its name and password', async () => {
  await as(browser, { name: 'company', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/join/agreement?type=COMPANY')
    await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
    await page.getByRole('button', { name: '다음' }).click()
    for (const [label, value] of Object.entries(COMPANY))
      await page.getByLabel(new RegExp(`^${label}\\*?$`)).fill(value)
    await page.getByLabel(/^사업자등록증 사본/).setInputFiles(PICTURE)
    await page.getByText('share.png').waitFor()
    await who.look('사업자 가입')
    await page.getByRole('button', { name: '가입하기' }).click()
    await page.waitForURL('**/join/done')
    await who.open('/login?next=/mypage')
    await signIn(who, COMPANY.아이디)
    await page.getByRole('button', { name: '사업자등록증 사본 보기' }).click()
    await page.getByRole('dialog').getByRole('img', { name: '사업자등록증 사본' }).waitFor()
    await who.look('내 가입 서류')
    await page.getByRole('button', { name: '닫기' }).click()
    await page.getByRole('link', { name: '내 정보' }).click()
    await page.getByLabel(/^닉네임/).fill('산마루가게')
    await who.look('내 정보')
    await page.getByRole('button', { name: '저장' }).click()
    await page.getByText('내 정보를 저장했습니다.').waitFor()
    await page.getByLabel(/^새 비밀번호$/).fill(NEW_PASSWORD)
    await page.getByLabel('새 비밀번호 확인').fill(NEW_PASSWORD)
    await page.getByLabel('현재 비밀번호').fill(PASSWORD)
    await page.getByRole('button', { name: '저장' }).click()
    await page.waitForURL('**/login?next=*')
    await signIn(who, COMPANY.아이디, NEW_PASSWORD)
    await page.getByLabel(/^닉네임/).waitFor()
    assert.equal(await page.getByLabel(/^닉네임/).inputValue(), '산마루가게')
  })
  await as(browser, { name: 'staff' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/documents')
    await signIn(who, 'operator')
    await page.getByRole('table', { name: '가입 서류' }).waitFor()
    await who.look('가입 서류')
    const newest = page.getByRole('row').nth(1)
    await newest.getByRole('cell', { name: '사진', exact: true }).waitFor()
    await newest.getByRole('button', { name: /보기$/ }).click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    await who.look('가입 서류 보기')
    await page.getByRole('button', { name: '닫기' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('row').nth(2).getByRole('button', { name: /보기$/ }).click()
    assert.match((await download).suggestedFilename(), /^.+_사업자등록증_사본_\d{4}-\d\d-\d\d\.pdf$/)
  })
})
