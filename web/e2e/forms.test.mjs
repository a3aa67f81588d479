// Forms: staff make one, a member fills it in, staff answer, the member is told and reads; a guest sends the partner form.
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
  ['forms-phone', { screen: PHONE, colorScheme: 'dark' }],
  ['forms-desktop', {}],
])
  test(`staff make a form, a member is answered in the member area (${name})`, async () => {
    const title = `자전거 교실 ${name}`
    const code = `class-${name}`
    const wish = `처음 타 봅니다 ${name}`
    await as(browser, { name: `${name}-operator`, ...how }, async (who) => {
      const { page } = who
      await who.open('/login?next=/console/forms?id=new')
      await signIn(who, 'operator')
      await page.getByLabel(/^양식 제목/).fill(title)
      await page.getByLabel(/^코드/).fill(code)
      await page.getByRole('button', { name: '항목 추가' }).click()
      await page.getByLabel(/^항목명/).fill('배우고 싶은 것')
      await page.getByLabel('배우고 싶은 것').waitFor()
      const on = page.getByLabel('노출', { exact: true })
      if (!(await on.isChecked())) await on.check()
      await who.settled()
      await who.look('양식 만들기')
      await page.getByRole('button', { name: /^(등록|저장)$/ }).click()
      await page
        .getByText(/(등록|저장)했습니다/)
        .first()
        .waitFor()
    })
    await as(browser, { name: `${name}-member`, ...how }, async (who) => {
      const { page } = who
      await who.open(`/login?next=/form/${code}`)
      await signIn(who, 'shopper04')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByLabel(/^배우고 싶은 것/).fill(wish)
      await page.getByRole('button', { name: '보내기' }).click()
      await page.getByText('개인정보 수집·이용에 동의해 주세요.').waitFor()
      await page.getByRole('checkbox', { name: /개인정보 수집·이용에 동의합니다/ }).check()
      await who.settled()
      await who.look('회원 작성')
      await page.getByRole('button', { name: '보내기' }).click()
      await page.getByRole('link', { name: '보낸 양식 보기' }).click()
      await page.getByRole('link', { name: wish }).waitFor()
      await who.settled()
      await who.look('내 양식 문의')
    })
    await as(browser, { name: `${name}-answer`, ...how }, async (who) => {
      const { page } = who
      await who.open('/login?next=/console/inquiries?state=ANSWER_AWAITING')
      await signIn(who, 'operator')
      await page.getByRole('link', { name: wish }).first().waitFor()
      await who.settled()
      await who.look('양식 문의')
      await page.getByRole('link', { name: wish }).first().click()
      await page.getByLabel('답변', { exact: true }).fill('토요일 10시에 오세요.')
      await who.settled()
      await who.look('답변')
      await page.getByRole('button', { name: '저장', exact: true }).click()
      await page.getByText('저장했습니다.').first().waitFor()
    })
    await as(browser, { name: `${name}-read`, ...how }, async (who) => {
      const { page } = who
      await who.open('/login?next=/mypage/inquiry')
      await signIn(who, 'shopper04')
      await page.getByRole('banner').getByRole('button', { name: /알림/ }).click()
      await page.getByRole('dialog').getByText('보내 주신 양식에 답변이 등록되었습니다').first().click()
      await page.waitForURL((url) => url.pathname.startsWith('/mypage/inquiry/'))
      await page.getByText('토요일 10시에 오세요.').waitFor()
      await who.settled()
      await who.look('답변 읽기')
      await page.getByText(wish).waitFor()
    })
  })

for (const [name, how] of [
  ['partner-phone', { screen: PHONE }],
  ['partner-desktop', { colorScheme: 'dark' }],
])
  test(`a guest sends the partner form, and the answer is mailed (${name})`, async () => {
    const company = `두바퀴공방 ${name}`
    await as(browser, { name, ...how }, async (who) => {
      const { page } = who
      await who.open('/form/inquiry-partner')
      await page.getByRole('heading', { level: 1, name: '입점·제휴 문의' }).waitFor()
      await who.settled()
      await page.getByRole('button', { name: '보내기' }).click()
      await page.getByText('답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.').waitFor()
      await who.look('빈 양식')
      await page.getByLabel(/^이름/).fill('김입점')
      await page.getByLabel(/^이메일/).fill('kim@example.com')
      await page.getByLabel(/^상호/).fill(company)
      await page.getByLabel(/^문의 분야/).selectOption({ label: '입점' })
      await page.getByRole('checkbox', { name: '자전거' }).check()
      await page.getByLabel(/^월 예상 판매량/).fill('30')
      await page.getByLabel(/^소개와 제안/).fill('손으로 만든 자전거를 팔고 싶습니다.')
      await page.getByRole('checkbox', { name: /내부 공유에 동의/ }).check()
      await page.getByRole('checkbox', { name: /개인정보 수집·이용에 동의합니다/ }).check()
      await who.settled()
      await who.look('입점 양식')
      await page.getByRole('button', { name: '보내기' }).click()
      await page.getByText(/kim@example.com 주소로/).waitFor()
      await who.look('보냄')
    })
    await as(browser, { name: `${name}-operator`, ...how }, async (who) => {
      const { page } = who
      await who.open('/login?next=/console/inquiries')
      await signIn(who, 'operator')
      await page.getByRole('link', { name: company }).first().click()
      await page.getByText('kim@example.com').first().waitFor()
      await page.getByLabel('답변', { exact: true }).fill('담당자가 곧 연락드립니다.')
      await page.getByRole('button', { name: '저장', exact: true }).click()
      await page.getByText('저장했습니다.').first().waitFor()
      await who.open('/console/messages')
      await page.getByRole('link', { name: '양식 문의' }).first().waitFor()
      assert.ok(await page.getByText('문의 답변').count())
    })
  })
