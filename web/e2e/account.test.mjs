// The member's account: a refused change changes nothing, an accepted one is saved, and after a required login the visitor continues
// where they were. Who joins confirms the e-mail address by the link in a mail.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { as, DESK, openBrowser, PHONE, sandboxUrl } from './browser.mjs'
import { find, PASSWORD, signIn } from './steps.mjs'

const MEMBER = 'shopper11'
const NICKNAME = '느린바퀴'
const NUMBER = '010-5555-6666'
const SCREENS = [
  ['desk', DESK],
  ['phone', PHONE],
]

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a wrong password leaves nickname and phone unchanged, the right one changes both', () =>
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

for (const [name, screen] of SCREENS)
  test(`a new password ends the session on the other device and replaces the old one (${name})`, async () => {
    // No other test signs in as these two users: their password changes here.
    const member = screen === DESK ? 'shopper07' : 'shopper08'
    const fresh = 'neurin#45'
    await as(browser, { name: `password-elsewhere-${name}`, screen }, async (elsewhere) => {
      await elsewhere.open('/login?next=/mypage/orders')
      await signIn(elsewhere, member)
      await elsewhere.settled()
      await as(browser, { name: `password-${name}`, screen }, async (who) => {
        const { page } = who
        await who.open('/login?next=/mypage/myinfo')
        await signIn(who, member)
        await page.getByLabel(/^새 비밀번호$/).fill(fresh)
        await page.getByLabel('새 비밀번호 확인').fill(fresh)
        await page.getByLabel('현재 비밀번호').fill(PASSWORD)
        await page.getByRole('button', { name: '저장' }).click()
        await page.getByText('비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.').waitFor()
        await who.look('새 비밀번호')

        // The connection for live notices may be refused first: then the page asks for the login before the click.
        const link = elsewhere.page.getByRole('link', { name: '배송지 관리' })
        const login = elsewhere.page.getByRole('heading', { level: 1, name: '로그인' })
        await link.or(login).waitFor()
        await link.click({ timeout: 5_000 }).catch(() => login.waitFor())
        await login.waitFor()
        // Refused, refreshed, refused: the browser logs both refusals.
        while (elsewhere.faults.length > 0) elsewhere.wasRefused(401)

        await page.getByLabel('아이디', { exact: true }).fill(member)
        await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
        await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click()
        await page.getByText('아이디 또는 비밀번호가 올바르지 않습니다.').waitFor()
        who.wasRefused(401)
        await signIn(who, member, fresh)
        await page.getByRole('heading', { level: 1, name: '내 정보' }).waitFor()
      })
      await signIn(elsewhere, member, fresh)
      await elsewhere.page.getByRole('heading', { level: 1, name: /배송지 관리|주문 내역/ }).waitFor()
    })
  })

for (const [name, screen] of SCREENS)
  test(`a deleted address can be restored, the default address as the default (${name})`, () =>
    as(browser, { name: `addresses-${name}`, screen }, async (who) => {
      const { page } = who
      const titles = async () => {
        const found = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
        return found.map((text) => text.replace(/\s+/g, ' '))
      }
      /** The list and a toast both show it. */
      const told = async (message, expected) => {
        await page.getByText(message).first().waitFor()
        await who.answered()
        assert.deepEqual(await titles(), expected)
      }
      const remove = (title) => {
        const heading = page.getByRole('heading', { level: 2, name: title })
        return page.getByRole('listitem').filter({ has: heading }).getByRole('button', { name: '삭제' }).click()
      }
      const undo = async () => {
        // The newest toast; while hovered, all toasts stay.
        await page.getByRole('button', { name: '되돌리기' }).first().click()
      }
      await who.open('/login?next=/mypage/destinations')
      await signIn(who, screen === DESK ? 'shopper09' : 'shopper10')
      await who.settled()
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      assert.deepEqual(await titles(), ['집 기본'])
      await page.getByRole('button', { name: '새 배송지' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel(/배송지 이름/).fill('회사')
      await form.getByLabel(/받는 분/).fill('김하늘')
      await form.getByLabel(/휴대폰/).fill('01012345678')
      await form.getByLabel(/우편번호/).fill('07001')
      await form.getByLabel(/^주소/).fill('서울시 동작구 상도로 1')
      await form.getByRole('button', { name: '저장' }).click()
      await form.waitFor({ state: 'detached' })
      await told('배송지를 저장했습니다.', ['집 기본', '회사'])

      await remove('집')
      await told('배송지를 삭제했습니다.', ['회사 기본'])
      await who.look('삭제한 배송지')
      await undo()
      await told('배송지를 복원했습니다.', ['집 기본', '회사'])
      await remove('회사')
      await told('배송지를 삭제했습니다.', ['집 기본'])
      await remove('집')
      await page.getByText('저장한 배송지가 없습니다').waitFor()
      await undo()
      await told('배송지를 복원했습니다.', ['집 기본'])
      await who.open('/mypage/destinations')
      assert.deepEqual(await titles(), ['집 기본'])
    }))

test('a guest who asks a question logs in on the page and asks it', () =>
  as(browser, { name: 'login-card' }, async (who) => {
    const { page } = who
    const card = page.getByRole('dialog', { name: '상품 문의' })
    await who.open('/')
    await find(who, '하드테일', '관악 하드테일')
    const address = page.url()
    await page.getByRole('tab', { name: '문의' }).click()
    await page.getByRole('button', { name: '상품 문의하기' }).click()
    await card.getByText('로그인이 필요한 서비스입니다.').waitFor()
    // Keyboard only: focus starts at the first field.
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

/** The address in the newest mail with this subject, as the mail server took it. */
async function linkOf(to, subject, page) {
  for (let i = 0; i < 60; i++) {
    const { mails } = await (await fetch(`${sandboxUrl}/sandbox/mails`)).json()
    const mail = mails.findLast((one) => one.to[0] === to && one.subject.includes(subject))
    const link = mail?.text.split('\n').find((line) => line.includes(page))
    if (link) return new URL(link)
    await sleep(500)
  }
  return assert.fail(`no mail "${subject}" to ${to}`)
}

for (const [name, screen] of SCREENS)
  test(`who joins confirms the address by the link in a mail, logged in (${name})`, async () => {
    const username = `confirm${name}`
    const address = `${username}@example.com`
    const form = {
      아이디: username,
      비밀번호: PASSWORD,
      '비밀번호 확인': PASSWORD,
      이름: '한가람',
      닉네임: `가람${name}`,
      이메일: address,
      '휴대폰 번호': '01012345678',
    }
    await as(browser, { name: `joins-${name}`, screen }, async (who) => {
      const { page } = who
      await who.open('/join/agreement?type=PERSON')
      await page.getByRole('checkbox', { name: '모두 동의합니다' }).check()
      await page.getByRole('button', { name: '다음' }).click()
      for (const [label, value] of Object.entries(form)) await page.getByLabel(new RegExp(`^${label}\\*?$`)).fill(value)
      await page.getByRole('button', { name: '가입하기' }).click()
      await page.waitForURL('**/join/done')
      await who.look('가입 완료')
      await who.open('/login?next=/mypage/myinfo')
      await signIn(who, username)
      await page.getByText('확인 전', { exact: true }).waitFor()
      await who.look('확인 전')
    })
    const link = await linkOf(address, '이메일 주소를 확인해 주세요', '/center/confirm-email/')
    // In another browser, as on the phone that has the mail: it asks for the login.
    await as(browser, { name: `confirms-${name}`, screen }, async (who) => {
      const { page } = who
      await who.open(`${link.pathname}${link.hash}`)
      await page.getByRole('heading', { level: 1, name: '이메일 확인' }).waitFor()
      await who.look('로그인하고 확인')
      await page.getByLabel('아이디', { exact: true }).fill(username)
      await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
      await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click()
      await page.getByRole('button', { name: '이메일 확인하기' }).click()
      await page.getByRole('heading', { level: 1, name: '이메일을 확인했습니다' }).waitFor()
      await who.look('이메일을 확인했습니다')
      await page.getByRole('link', { name: '내 정보 보기' }).click()
      await page.getByText('확인됨', { exact: true }).waitFor()
      await who.look('확인됨')
      // The link is used up.
      await who.open(`${link.pathname}${link.hash}`)
      await page.getByRole('button', { name: '이메일 확인하기' }).click()
      await page.getByRole('alert').filter({ hasText: '이미 사용한 링크입니다.' }).waitFor()
      who.wasRefused(409)
    })
  })
