// The raffle of an event: staff save an event with winners, a member enters on a phone, the clock draws, and the winner gets an alarm.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

const NAME = '헬멧을 드립니다'
const MEMBER = 'shopper09'
/** The end is a full minute; entering before it takes a while. */
const LEAST_SECONDS = 70
const MINUTE = 60_000

/** A minute of Seoul, as an input for dates and times takes it. */
function endOf(now) {
  const end = new Date(Math.ceil((now + LEAST_SECONDS * 1_000) / MINUTE) * MINUTE)
  const seoul = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short', timeStyle: 'short' })
  return seoul.format(end).replace(' ', 'T')
}

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

async function openEvent({ page }) {
  await page
    .getByRole('link', { name: new RegExp(NAME) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
}

test('an event is entered, drawn by the clock, and its winner is told', async () => {
  await as(browser, { name: 'raffle-staff' }, async (who) => {
    const { page } = who
    await who.open(`/login?next=${encodeURIComponent('/console/shop/events?id=new')}`)
    await signIn(who, 'operator')
    await page.getByLabel(/^이벤트명/).fill(NAME)
    await page.getByLabel('목록 이미지 사진 선택').setInputFiles({
      name: 'helmet.webp',
      mimeType: 'image/webp',
      buffer: await readFile(new URL('../public/pictures/BK-CITY-01.webp', import.meta.url)),
    })
    await page.getByRole('img').first().waitFor()
    await page.getByLabel(/^당첨자 수/).fill('1')
    await page.getByRole('button', { name: '저장' }).click()
    // A raffle needs an end.
    await page.getByText('추첨하는 이벤트는 종료 일시를 입력해 주세요.').first().waitFor()
    who.wasRefused(400)
    await page.getByLabel('종료', { exact: true }).fill(endOf(Date.now()))
    await page.getByRole('button', { name: '저장' }).click()
    await page.getByRole('heading', { level: 1, name: NAME, exact: true }).waitFor()
    await page.getByLabel('응모 수').waitFor()
    await who.look('추첨이 있는 이벤트')
  })
  await as(browser, { name: 'raffle-guest', colorScheme: 'dark' }, async (who) => {
    await who.open('/sub/event/ongoing')
    await openEvent(who)
    await who.page.getByRole('link', { name: '로그인하고 응모하기' }).waitFor()
    await who.settled()
    await who.look('손님의 이벤트')
  })
  await as(browser, { name: 'raffle-member', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/sub/event/ongoing')
    await signIn(who, MEMBER)
    await openEvent(who)
    await page.getByRole('button', { name: '응모하기' }).dblclick()
    await page.getByText('응모 번호는 1번입니다.').first().waitFor()
    await who.look('응모')
    await page.reload()
    await page.getByText('응모 번호는 1번입니다.').first().waitFor()
    assert.equal(await page.getByRole('button', { name: '응모하기' }).count(), 0)
    // The page looks again by itself when the raffle is over.
    await page.getByText('응모 번호 1번이 당첨되었습니다.').waitFor({ timeout: 3 * MINUTE })
    await page.getByRole('button', { name: '추첨 확인하기' }).click()
    await page.getByText(/^확인했습니다/).waitFor()
    await who.look('당첨')
    await who.open('/sub/event/ended')
    await openEvent(who)
    await page.getByText('응모 번호 1번이 당첨되었습니다.').waitFor()
    await page.getByRole('button', { name: /알림/ }).first().click()
    await page.getByRole('dialog').getByText(/당첨/).first().waitFor()
    await who.look('알림')
  })
})
