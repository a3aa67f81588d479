// One's own account: what is wrong with a change changes nothing, what is right stays, and who has to log in for something goes on
// with it at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { find, PASSWORD, signIn } from './steps.mjs'

const MEMBER = 'shopper11'
const NICKNAME = '느린바퀴'
const NUMBER = '010-5555-6666'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a wrong password leaves my nickname and phone as they were, and with the right one both are changed', () =>
  as(browser, { name: 'my-info', screen: PHONE }, async (who) => {
    const { page } = who
    const nickname = page.getByLabel(/^닉네임/)
    const phone = page.getByLabel(/^휴대폰 번호/)
    const current = page.getByLabel('현재 비밀번호')
    const shown = async () => {
      await page.reload()
      await nickname.waitFor()
      return { nickname: await nickname.inputValue(), phone: await phone.inputValue() }
    }
    await who.open('/login?next=/mypage/myinfo')
    await signIn(who, MEMBER)
    const before = await shown()
    const change = async () => {
      await nickname.fill(NICKNAME)
      await phone.fill(NUMBER.replaceAll('-', ''))
    }
    await change()
    await current.fill('wrong12!')
    await page.getByLabel(/^새 비밀번호$/).fill('neurin#45')
    await page.getByLabel('새 비밀번호 확인').fill('neurin#45')
    await page.getByRole('button', { name: '저장' }).click()
    await page.getByRole('alert').filter({ hasText: '현재 비밀번호를 확인해 주세요.' }).waitFor()
    assert.equal(await current.getAttribute('aria-invalid'), 'true')
    assert.ok(await current.evaluate((field) => field === document.activeElement), 'one stands at the refused field')
    who.wasRefused(400)
    await who.look('틀린 비밀번호')
    assert.deepEqual(await shown(), before)

    await change()
    await current.fill(PASSWORD)
    await page.getByRole('button', { name: '저장' }).click()
    await page.getByText('내 정보를 저장했습니다.').waitFor()
    assert.deepEqual(await shown(), { nickname: NICKNAME, phone: NUMBER })
    await page.getByRole('link', { name: '마이페이지' }).first().click()
    await page.getByText(`${NICKNAME}님`).waitFor()
    await who.look('바뀐 닉네임')
  }))

test('a guest who wants to ask logs in where they stand, and asks', () =>
  as(browser, { name: 'login-card' }, async (who) => {
    const { page } = who
    const card = page.getByRole('dialog', { name: '상품 문의' })
    await who.open('/')
    await find(who, '하드테일', '관악 하드테일')
    const address = page.url()
    await page.getByRole('tab', { name: '문의' }).click()
    await page.getByRole('button', { name: '상품 문의하기' }).click()
    await card.getByText('로그인이 필요한 서비스입니다.').waitFor()
    // By keys alone: one begins at the first field.
    await page.keyboard.type('shopper12')
    await page.keyboard.press('Tab')
    await page.keyboard.type('wrong12!')
    await page.keyboard.press('Enter')
    await card.getByRole('alert').waitFor()
    who.wasRefused(401)
    await who.look('로그인 카드')
    await card.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await card.getByLabel(/^제목/).fill('핸들 높이를 바꿀 수 있나요?')
    await card.getByLabel(/^문의 내용/).fill('키가 작은 편입니다.')
    await who.look('문의하기')
    await card.getByRole('button', { name: /등록|문의하기/ }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByText('핸들 높이를 바꿀 수 있나요?').waitFor()
    assert.equal(page.url().split('#')[0], address.split('#')[0])
  }))
