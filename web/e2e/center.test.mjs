// The customer centre: a guest reads a notice and finds an answer; a member asks with a file, staff answer, and the member gets an alarm.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

const MEMBER = 'shopper12'
const QUESTION = '영수증을 다시 받고 싶어요'
const ANSWER = '메일로 다시 보내 드렸습니다.'
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

for (const [name, how] of [
  ['center-phone', { screen: PHONE }],
  ['center-phone-dark', { screen: PHONE, colorScheme: 'dark' }],
  ['center-desktop', {}],
  ['center-desktop-dark', { colorScheme: 'dark' }],
])
  test(`a guest reads notices and answers (${name})`, () =>
    as(browser, { name, ...how }, async (who) => {
      const { page } = who
      // Not the home page, whose popup covers the footer on a phone.
      await who.open('/shop/brands')
      await page.getByRole('contentinfo').getByRole('link', { name: '공지사항' }).click()
      await page.getByRole('heading', { level: 1, name: '공지사항' }).waitFor()
      await page.getByRole('link', { name: /운영 안내/ }).waitFor()
      await who.settled()
      await who.look('공지사항')
      await page.getByRole('link', { name: /운영 안내/ }).click()
      await page.getByRole('heading', { level: 1, name: /운영 안내/ }).waitFor()
      await who.settled()
      await who.look('공지')
      await page.getByRole('navigation', { name: '고객센터' }).getByRole('link', { name: '자주 묻는 질문' }).click()
      await page.getByRole('searchbox').fill('환불')
      await page.getByRole('searchbox').press('Enter')
      await page.waitForURL(/searchValue=/)
      await page.getByText('환불은 언제 되나요?').click()
      await page.getByText('3영업일 안에 환불합니다').waitFor()
      await who.settled()
      await who.look('자주 묻는 질문')
      await page.getByRole('link', { name: '회원', exact: true }).click()
      await page.getByText('찾으시는 질문이 없습니다').waitFor()
      await who.look('결과 없음')
      await who.open('/email-policy')
      await page.getByRole('heading', { level: 1, name: '이메일 무단수집 거부' }).waitFor()
      // Questions need a login.
      await who.open('/center/questions')
      await page.waitForURL(/\/login\?next=/)
    }))

test('a member asks with a file, staff answer, and the member reads the answer', async () => {
  const id = await as(browser, { name: 'question-member', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/center/questions')
    await signIn(who, MEMBER)
    await page.getByText('아직 문의가 없습니다').waitFor()
    await who.settled()
    await who.look('문의 없음')
    await page.getByRole('link', { name: '문의하기', exact: true }).click()
    await page.getByRole('button', { name: '문의 등록' }).click()
    await page.getByText('문의 분류를 선택해 주세요.').waitFor()
    await page.getByLabel(/^분류/).selectOption({ label: '주문·결제' })
    await page.getByLabel(/^제목/).fill(QUESTION)
    await page.getByLabel(/^문의 내용/).fill('지난주에 산 자전거 영수증을\n다시 보내 주세요.')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: '주문서.pdf', mimeType: 'application/pdf', buffer: PDF })
    await page.getByText('주문서.pdf').waitFor()
    await who.look('문의 쓰기')
    await page.getByRole('button', { name: '문의 등록' }).click()
    await page.getByRole('heading', { level: 2, name: QUESTION }).waitFor()
    await page.getByRole('link', { name: /주문서.pdf/ }).waitFor()
    await who.settled()
    await who.look('문의')
    return new URL(page.url()).pathname.split('/').at(-1)
  })

  await as(browser, { name: 'question-operator' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/center/questions')
    await signIn(who, 'operator')
    await page.getByRole('table').getByRole('link', { name: QUESTION }).click()
    await page.getByRole('link', { name: /주문서.pdf/ }).waitFor()
    await page.getByLabel('답변', { exact: true }).fill(ANSWER)
    await who.look('문의 답변')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await page.getByText('저장했습니다.').first().waitFor()
    for (const path of ['/console/center/notifications', '/console/about/faq']) {
      await who.open(path)
      await page.getByRole('table').getByRole('link').first().waitFor()
      await who.settled()
      await who.look(path.split('/').at(-1))
    }
  })

  await as(browser, { name: 'question-answered', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/')
    await signIn(who, MEMBER)
    await page.getByRole('banner').getByRole('button', { name: /알림/ }).click()
    await page.getByRole('dialog').getByText('1:1 문의에 답변이 등록되었습니다').first().click()
    await page.waitForURL((url) => url.pathname === `/mypage/questions/${id}`)
    await page.getByText(ANSWER).waitFor()
    assert.equal(await page.getByRole('link', { name: '수정', exact: true }).count(), 0)
    await who.settled()
    await who.look('답변')
  })
})
