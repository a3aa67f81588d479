// Reviews and questions: a buyer reviews a confirmed purchase on a phone and finds the review at the product; a secret question is
// readable only to its author and staff, who answer it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { signIn } from './steps.mjs'

// Has a confirmed order without a review.
const BUYER = 'shopper13'
const SUBJECT = '진하고 상큼합니다'
const QUESTION = '병 크기가 궁금해요'
const ANSWER = '한 병에 250ml입니다.'

let browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

test('a buyer reviews a purchase on a phone, and asks a secret question', async () => {
  const product = await as(browser, { name: 'review', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/')
    await who.open('/login?next=/mypage/reviews-input')
    await signIn(who, BUYER)
    await page.getByRole('heading', { level: 1, name: '후기 쓰기' }).waitFor()
    await who.settled()
    await who.look('작성 가능한 후기')
    await page
      .getByRole('button', { name: /후기 쓰기$/ })
      .first()
      .click()
    const layer = page.getByRole('dialog')
    // By keyboard, for users who do not see the stars.
    await layer.getByRole('radio', { name: '5점 만점에 1점' }).focus()
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowRight')
    await layer.getByLabel(/^한 줄 평/).fill(SUBJECT)
    await layer.getByRole('textbox', { name: /^후기/ }).fill('아침마다 한 병씩 마시고 있어요.\n다음에도 주문할게요.')
    await who.look('후기 쓰기')
    await layer.getByRole('button', { name: '후기 등록' }).click()
    await layer.waitFor({ state: 'detached' })
    await who.settled()
    // The form adds no history entry.
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/')
    await who.open('/mypage/reviews')
    await page.getByText(SUBJECT).waitFor()
    await who.look('내 후기')
    await page.getByRole('button', { name: '삭제' }).first().click()
    await page.getByText(SUBJECT).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '되돌리기' }).click()
    await page.getByText(SUBJECT).waitFor()
    await page.getByRole('main').getByRole('link', { name: /.+/ }).filter({ hasNotText: '후기' }).first().waitFor()
    const link = page.getByRole('article').getByRole('link').first()
    const address = await link.getAttribute('href')
    await link.click()
    await page.getByRole('tab', { name: /^후기/ }).waitFor()
    await page.getByText(SUBJECT).waitFor()
    await who.look('상품 후기')
    await page.getByRole('tab', { name: '문의' }).click()
    await page.getByRole('button', { name: '상품 문의하기' }).click()
    const asking = page.getByRole('dialog')
    await asking.getByLabel(/^제목/).fill(QUESTION)
    await asking.getByLabel(/^문의 내용/).fill('유리병인지 플라스틱인지도 알려 주세요.')
    await asking.getByRole('checkbox', { name: /비밀글/ }).check()
    await who.look('상품 문의')
    await asking.getByRole('button', { name: '문의 등록' }).click()
    await asking.waitFor({ state: 'detached' })
    await page.getByText(QUESTION).waitFor()
    return address.split('#')[0]
  })

  await as(browser, { name: 'review-guest' }, async (who) => {
    const { page } = who
    await who.open(`${product}#inquiries`)
    await page.getByText('비밀글입니다.').first().waitFor()
    assert.equal(await page.getByText(QUESTION).count(), 0)
    await who.look('남의 비밀글')
  })

  await as(browser, { name: 'review-operator' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/inquires')
    await signIn(who, 'operator')
    await page.getByRole('table').getByRole('link', { name: QUESTION }).click()
    await page.getByLabel('답변', { exact: true }).fill(ANSWER)
    await who.look('문의 답변')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await page.getByText('저장했습니다.').first().waitFor()
    await who.open('/console/shop/reviews')
    await page.getByRole('table').getByRole('link', { name: SUBJECT }).waitFor()
    await who.look('후기 목록')
  })

  await as(browser, { name: 'review-answered', screen: PHONE }, async (who) => {
    const { page } = who
    await who.open('/login?next=/mypage/inquiries')
    await signIn(who, BUYER)
    await page.getByText(QUESTION).click()
    await page.getByText(ANSWER).waitFor()
    await who.look('답변')
  })
})
