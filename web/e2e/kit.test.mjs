// The console's CRUD framework as an operator uses it: bulk edits, export and import, saved views, the tree by pointer and by keyboard,
// unsaved changes, restored versions, and pictures.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, DESK, openBrowser, shopUrl, TABLET, visitor } from './browser.mjs'
import { signIn } from './steps.mjs'

let browser
let who
before(async () => {
  browser = await openBrowser()
  who = await visitor(browser, { name: 'operator-kit' })
  await who.open('/login?next=/console')
  await signIn(who, 'operator')
})
after(async () => {
  await who?.leave()
  await browser?.close()
})

/** A step of the operator; a failure includes the page's text. */
const step = (title, steps) =>
  test(title, async () => {
    try {
      await steps(who.page)
      assert.deepEqual(who.faults, [])
    } catch (error) {
      process.stderr.write(`\nat ${who.page.url()}:\n${(await who.page.locator('body').innerText()).slice(0, 3000)}\n`)
      throw error
    } finally {
      who.faults.length = 0
    }
  })

const table = (page) => page.getByRole('table').first()
const dialog = (page) => page.getByRole('dialog')
const button = (from, name) => from.getByRole('button', { name, exact: true })

step('on a tablet lists are shown beside the menu, with whole rows visible', async (page) => {
  await page.setViewportSize(TABLET)
  for (const list of ['shop/products', 'shop/brands', 'shop/shippings', 'shop/coupons', 'banners', 'site/terms']) {
    await who.open(`/console/${list}`)
    const hidden = await table(page).evaluate(
      ({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth,
    )
    assert.equal(hidden, 0, list)
  }
  await page.setViewportSize(DESK)
})

/** Bicycles: no other test writes to them. */
const MANY = '/console/shop/products?shows=true&q=BK-'

step('a bulk edit changes all matching records across pages, each with its own history', async (page) => {
  await who.open(MANY)
  const total = Number(/\d+/.exec(await page.getByText(/^전체 [\d,]+건$/).innerText())[0])
  assert.ok(total > 20, `more than a page: ${total}`)
  await page.getByRole('checkbox', { name: '이 페이지 모두 선택' }).check()
  await button(page, `조건에 맞는 ${total}건 모두 선택`).click()
  await button(page, '일괄 변경').click()
  await dialog(page).getByLabel('변경할 항목').selectOption({ label: '노출 순서' })
  await dialog(page).getByLabel('노출 순서', { exact: true }).fill('7')
  await button(dialog(page), '변경').click()
  await page.getByText(`${total}건을 변경했습니다.`).waitFor()
  // The last row of the last page, which was never displayed.
  await who.open(`${MANY}&page=${Math.ceil(total / 20)}`)
  await table(page).getByRole('row').last().getByRole('link').click()
  const place = page.getByLabel('노출 순서', { exact: true })
  await place.waitFor()
  assert.equal(await place.inputValue(), '7')
  const change = page.getByRole('listitem').filter({ hasText: '노출 순서:' }).last()
  assert.match(await change.innerText(), /노출 순서:\s*0\s*→\s*7/)
  await button(page, '이 버전으로 되돌리기').last().click()
  await button(page.getByRole('alertdialog'), '네').click()
  // The form starts over with the restored version.
  while ((await place.inputValue()) !== '0') await page.waitForTimeout(100)
})

const DAY_MS = 86_400_000
const yesterday = () => new Date(Date.now() - DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })

step('all matching purchases are exported, and a bulk action reports each refusal', async (page) => {
  // Today's purchases belong to the other tests.
  await who.open(`/console/shop/purchases/all?createdAtTo=${yesterday()}`)
  const total = Number(/\d+/.exec(await page.getByText(/^전체 [\d,]+건$/).innerText())[0])
  assert.ok(total > 20, `more than a page: ${total}`)
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, '엑셀 다운로드').click()])
  assert.match(file.suggestedFilename(), /^purchases-\d[\d-]*\.xlsx$/)
  await button(page, '열 선택').click()
  await page.getByLabel('송장번호').check()
  await page.keyboard.press('Escape')
  await table(page).getByRole('columnheader', { name: '송장번호' }).waitFor()
  await page.getByRole('checkbox', { name: '이 페이지 모두 선택' }).check()
  await button(page, `조건에 맞는 ${total}건 모두 선택`).click()
  await button(page, '배송완료').click()
  await who.look('모두 배송완료로')
  await button(dialog(page), '배송완료').click()
  const told = dialog(page).getByText(/^\d+건 완료, \d+건 거절$/)
  await told.waitFor()
  const [done, refused] = (await told.innerText()).match(/\d+/g).map(Number)
  assert.equal(done + refused, total)
  assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`)
  await who.look('한 건씩 처리한 결과')
  await button(dialog(page), '닫기').last().click()
})

const BRANDS = '/console/shop/brands'

step('an exported list imports without changes', async (page) => {
  await who.open(BRANDS)
  const total = /\d+/.exec(await page.getByText(/^전체 \d+건$/).innerText())[0]
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, '엑셀 다운로드').click()])
  assert.match(file.suggestedFilename(), /^brands-\d[\d-]*\.xlsx$/)
  await button(page, '엑셀 업로드').click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(dialog(page), '파일 선택').last().click(),
  ])
  await chooser.setFiles({
    name: file.suggestedFilename(),
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: readFileSync(await file.path()),
  })
  await dialog(page).getByText(`전체 ${total}행: 등록 0, 수정 0, 그대로 ${total}, 오류 0`).waitFor()
  assert.equal(
    await dialog(page)
      .getByRole('button', { name: /반영하기$/ })
      .isDisabled(),
    true,
  )
  await page.keyboard.press('Escape')
})

step('an import is validated first, with errors per line', async (page) => {
  await who.open(BRANDS)
  await button(page, '엑셀 업로드').click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(dialog(page), '파일 선택').last().click(),
  ])
  const lines = [
    'code,name,nameEn,index',
    'baram,바람 자전거,Baram,10',
    'hanbit,한빛,Hanbit,3',
    'saebyeok,새벽,Saebyeok,셋째',
  ]
  await chooser.setFiles({ name: '브랜드.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await dialog(page).getByText('전체 3행: 등록 1, 수정 1, 그대로 0, 오류 1').waitFor()
  const row = (text) => dialog(page).getByRole('row').filter({ hasText: text })
  assert.match(await row('바람 자전거').innerText(), /수정[\s\S]*브랜드명: 바람 → 바람 자전거/)
  assert.match(await row('오류').last().innerText(), /노출 순서: .+/)
  await who.look('업로드 전 미리보기')
  await button(dialog(page), '2행 반영하기').click()
  await page.getByText('2행을 반영했습니다.').waitFor()
  // Failures stay readable.
  await row('새벽').waitFor()
  assert.equal(await row('한빛').count(), 0)
  await button(dialog(page), '닫기').last().click()
  await table(page).getByRole('link', { name: '한빛', exact: true }).waitFor()
  await table(page).getByRole('link', { name: '바람 자전거', exact: true }).waitFor()
  assert.equal(await table(page).getByRole('link', { name: '새벽' }).count(), 0)
})

step('a list does not move when the first filter is set', async (page) => {
  const top = async () => (await table(page).boundingBox()).y
  await who.open(BRANDS)
  await button(page, '조건').click()
  const before = await top()
  await page.getByLabel('노출', { exact: true }).selectOption({ label: '노출' })
  await page.getByText(/^조건 1$/).waitFor()
  await who.settled()
  assert.equal(await top(), before)
})

step('saved views are stored on the server, per operator', async (page) => {
  await who.open(`${BRANDS}?q=바람`)
  await button(page, '지금 조건 저장').click()
  await dialog(page)
    .getByLabel(/^보기 이름/)
    .fill('바람만')
  await button(dialog(page), '저장').click()
  await button(page, '바람만').waitFor()
  await as(browser, { name: 'operator-elsewhere' }, async (other) => {
    await other.open(`/login?next=${BRANDS}`)
    await signIn(other, 'operator')
    await button(other.page, '바람만').click()
    await other.page.waitForURL((url) => url.searchParams.get('q') === '바람')
    await other.settled()
    await other.page.getByText(/^전체 1건$/).waitFor()
    await other.look('저장한 보기')
  })
})

const TREE = '/console/shop/categories'
const order = async (page) =>
  (await page.getByRole('button', { name: / 위로$/ }).evaluateAll((all) => all.map((one) => one.ariaLabel))).map(
    (label) => label.replace(/ 위로$/, ''),
  )
const grip = (page, name) =>
  page.locator('li > div').filter({ has: page.getByRole('button', { name: `${name} 위로` }) })
/** What the page announces about the position of the dragged category. */
const place = (page) => page.locator('[aria-live="assertive"].sr-only')
/** Drags one row over another, `part` of its height below its top, until the page announces the position; then drops it. */
const drag = async (page, name, onto, part, said) => {
  const handle = await button(page, `${name} 끌어서 옮기기`).boundingBox()
  const x = handle.x + handle.width / 2
  await page.mouse.move(x, handle.y + handle.height / 2)
  await page.mouse.down()
  const target = await grip(page, onto).boundingBox()
  const y = target.y + target.height * part
  await page.mouse.move(x, y, { steps: 5 })
  // A pointer is never quite still, and rows are measured only after the drag began.
  for (let i = 0; !said.test(await place(page).textContent()); i += 1) {
    assert.ok(i < 100, await place(page).textContent())
    await page.mouse.move(x + (i % 2), y)
    await page.waitForTimeout(50)
  }
  await page.mouse.up()
}
/** Presses an arrow key until the page announces another position. */
const arrow = async (page, key) => {
  const before = await place(page).textContent()
  for (let i = 0; i < 5 && (await place(page).textContent()) === before; i += 1) {
    await page.keyboard.press(key)
    await page
      .waitForFunction(
        (text) => document.querySelector('[aria-live="assertive"].sr-only').textContent !== text,
        before,
        { timeout: 2000 },
      )
      .catch(() => undefined)
  }
}

step('a category is moved by pointer and by keyboard', async (page) => {
  await who.open(TREE)
  const was = await order(page)
  assert.deepEqual(was.slice(1, 3), ['로드', '산악'])
  await drag(page, '산악', '로드', 0.1, /^산악: ‘자전거’ 안의 1번째 자리입니다\.$/)
  await page.waitForFunction(
    (first) => document.querySelectorAll('[aria-label$=" 위로"]')[1]?.ariaLabel === first,
    '산악 위로',
  )
  await page.reload()
  await who.settled()
  assert.deepEqual((await order(page)).slice(1, 3), ['산악', '로드'])
  // Back by keyboard: lifted, past the row below, dropped.
  await button(page, '산악 끌어서 옮기기').focus()
  await page.keyboard.press('Space')
  const behind = /^산악: ‘자전거’ 안의 2번째 자리입니다\.$/
  for (let places = 0; places < 3 && !behind.test(await place(page).textContent()); places += 1)
    await arrow(page, 'ArrowDown')
  assert.match(await place(page).textContent(), behind)
  await page.keyboard.press('Space')
  await page.waitForFunction(
    (first) => document.querySelectorAll('[aria-label$=" 위로"]')[1]?.ariaLabel === first,
    '로드 위로',
  )
  await page.reload()
  await who.settled()
  assert.deepEqual(await order(page), was)
})

step('moving a category to another level asks first, and can be undone', async (page) => {
  await who.open(TREE)
  const was = await order(page)
  // A mistake: onto the middle of a row instead of its edge.
  const slip = async () => {
    await drag(page, '산악', '로드', 0.5, /^산악: ‘자전거 › 로드’ 안의 1번째 자리입니다\.$/)
    return page.getByRole('alertdialog', { name: /‘산악’ 카테고리를 ‘.+ › 로드’ 안으로 옮길까요/ })
  }
  await (await slip()).waitFor()
  await who.look('카테고리를 옮길지 묻기')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.reload()
  await who.settled()
  assert.deepEqual(await order(page), was)
  await button(await slip(), '옮기기').click()
  await page.getByText(/‘산악’ 카테고리를 ‘.+ › 로드’ 안의 1번째로 옮겼습니다\./).waitFor()
  // While hovered, the toast stays.
  await button(page, '되돌리기').hover()
  await who.look('카테고리가 간 곳')
  await button(page, '되돌리기').click()
  await page.getByText('되돌렸습니다.').waitFor()
  await page.reload()
  await who.settled()
  assert.deepEqual(await order(page), was)
})

step('a refused value is not saved as a different one', async (page) => {
  await who.open(MANY)
  await table(page).getByRole('link').first().click()
  const worth = page.getByLabel(/^할인값/)
  const unit = page.getByLabel('할인', { exact: true })
  await unit.waitFor()
  await unit.selectOption({ label: '%' })
  await worth.fill('20')
  await button(page, '저장').click()
  await page.getByText('저장했습니다.').waitFor()
  const writes = []
  page.on('request', (request) => request.method() === 'PUT' && writes.push(request.url()))
  await worth.fill('150')
  await button(page, '저장').click()
  await page.getByText('100 이하로 입력해 주세요.').waitFor()
  await page.keyboard.press('Control+s')
  await who.look('거절된 할인값')
  assert.equal(await worth.inputValue(), '150')
  assert.equal(await worth.getAttribute('aria-invalid'), 'true')
  assert.deepEqual(writes, [])
  assert.deepEqual(await who.axe(), [])
  await worth.fill('20')
  await page.reload()
  await worth.waitFor()
  assert.equal(await worth.inputValue(), '20')
  // Restores the price that other steps read.
  await button(page, '이 버전으로 되돌리기').first().click()
  await button(page.getByRole('alertdialog'), '네').click()
  await page.getByText('되돌렸습니다.').waitFor()
})

step('unsaved input is not discarded without confirmation', async (page) => {
  await who.open('/console/site/terms')
  await table(page).getByRole('link').first().click()
  const name = page.getByLabel(/^약관명/)
  await name.waitFor()
  const was = await name.inputValue()
  await name.fill('쓰다 만 약관')
  const away = page.getByRole('link', { name: '브랜드', exact: true }).first()
  await away.click()
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  assert.equal(await name.inputValue(), '쓰다 만 약관')
  await away.click()
  await button(page.getByRole('alertdialog'), '네').click()
  await page.waitForURL(`**${BRANDS}`)
  await who.settled()
  await page.goBack()
  await name.waitFor()
  assert.equal(await name.inputValue(), was)
})

step('a picture is uploaded, scaled to several sizes, and shown', async (page) => {
  await who.open('/console/main/advertisement?id=new')
  await page
    .getByLabel(/^(광고|배너|이름)/)
    .first()
    .fill('사진 시험')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: '사진 선택' }).first().click(),
  ])
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith('/api/console/files') && one.request().method() === 'POST'),
    chooser.setFiles(join(import.meta.dirname, '../public/share.png')),
  ])
  const { file } = await answer.json()
  assert.ok(file.variants.length >= 2, JSON.stringify(file))
  for (const { url, width } of [file, ...file.variants]) {
    const variant = await fetch(shopUrl + url)
    assert.equal(variant.headers.get('content-type'), 'image/webp')
    assert.ok(width <= file.width, `${url}: ${width}`)
  }
  await page.locator(`img[src="${file.url}"]`).first().waitFor()
  await page.getByLabel(/^연결 주소/).fill('/shop/best')
  await button(page, '저장').click()
  await page.getByRole('heading', { level: 1, name: '사진 시험' }).waitFor()
  await who.look('사진이 있는 광고')
})
