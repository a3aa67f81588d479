// Staff upload 1,000 products with 30 faulty rows: all errors before anything is written, progress, stop and go on, the refused rows as a
// file, mended and uploaded again.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { as, openBrowser, PHONE } from './browser.mjs'
import { read, tokenOf } from './places.mjs'
import { signIn } from './steps.mjs'

const ROWS = 1_000
const FAULTY = 30
const PAGE = '/console/shop/bulk-upload'
const HEADINGS = ['상품코드*', '상품명*', '판매자*', '정가*', '카테고리', '재고', '노출*']

let browser
let seller
let category
before(async () => {
  browser = await openBrowser()
  const token = await tokenOf('operator')
  const { sellers } = await read('/api/console/shop/sellers', token)
  seller = sellers[0].name
  const { categories } = await read('/api/console/shop/categories', token)
  category = categories[0].name
})
after(() => browser?.close())

/** A row; every 33rd of the first 30 is faulty in two cells. */
const isFaulty = (n) => n % 33 === 0 && n / 33 < FAULTY
const row = (n) => [
  `UP-${String(n).padStart(4, '0')}`,
  isFaulty(n) ? '' : `업로드 상품 ${n}`,
  seller,
  isFaulty(n) ? '만원' : String(1_000 + n * 10),
  category,
  String(n % 50),
  'N',
]
const csv = (rows) => `\uFEFF${rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`

async function saved(name, rows) {
  const path = join(tmpdir(), `jangbu-${process.pid}-${name}.csv`)
  await writeFile(path, csv(rows))
  return path
}

const uploads = (page) =>
  page.getByRole('region', { name: '3. 진행 상황' }).or(page.locator('section', { hasText: '3. 진행 상황' }))
const lastUpload = (page) => uploads(page).getByRole('listitem').first()

test('staff upload a thousand products, mend what was refused, and upload it again', () =>
  as(browser, { name: 'bulk-upload' }, async (who) => {
    const { page } = who
    await who.open('/login?next=/console/shop/products')
    await signIn(who, 'operator')
    await page.getByRole('link', { name: '엑셀 업로드' }).click()
    await page.getByRole('heading', { level: 1, name: '상품 일괄 업로드' }).waitFor()
    await page.getByText('아직 올린 파일이 없습니다.').waitFor()
    await who.look('처음')

    const [form] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '양식 다운로드' }).click(),
    ])
    assert.equal(form.suggestedFilename(), 'product-form.xlsx')
    assert.ok((await readFile(await form.path())).length > 5_000)

    const rows = Array.from({ length: ROWS }, (_, n) => row(n))
    await page.locator('input[type=file]').setInputFiles(await saved('first', [HEADINGS, ...rows]))
    await page.getByText(`전체 1,000행: 등록 970, 수정 0, 그대로 0, 오류 ${FAULTY}`).waitFor({ timeout: 120_000 })
    await page.getByText('상품명: 필수 항목입니다.').first().waitFor()
    await page
      .getByText(/^정가: 금액을 숫자로/)
      .first()
      .waitFor()
    await who.look('미리보기')

    await page.getByRole('button', { name: '970행 업로드하기' }).click()
    await lastUpload(page).getByText('진행 중').waitFor()
    await lastUpload(page).getByRole('button', { name: '중단' }).click()
    await lastUpload(page)
      .getByText(/중단함|완료/)
      .waitFor()
    const goOn = lastUpload(page).getByRole('button', { name: '이어서 진행' })
    if (await goOn.isVisible()) {
      await who.look('중단')
      await goOn.click()
    }
    await lastUpload(page).getByText('완료').waitFor({ timeout: 120_000 })
    await lastUpload(page).getByText(`등록 970 · 수정 0 · 그대로 0 · 오류 ${FAULTY}`).waitFor()
    await who.look('완료')

    const [refused] = await Promise.all([
      page.waitForEvent('download'),
      lastUpload(page)
        .getByRole('button', { name: `오류 ${FAULTY}행 다운로드` })
        .click(),
    ])
    assert.equal(refused.suggestedFilename(), 'product-refused.csv')
    const lines = (await readFile(await refused.path(), 'utf8')).trim().split('\r\n')
    assert.equal(lines.length, FAULTY + 1)
    assert.match(lines[0], /오류 사유/)
    assert.match(lines[1], /정가: 금액을 숫자로/)
    const codes = lines.slice(1).map((line) => /UP-(\d+)/.exec(line)[1])
    const mended = codes.map((code) => {
      const cells = row(Number(code))
      return [cells[0], `고친 상품 ${code}`, cells[2], '5,000', ...cells.slice(4), '']
    })
    await page.locator('input[type=file]').setInputFiles(await saved('mended', [[...HEADINGS, '오류 사유'], ...mended]))
    await page.getByText(`전체 30행: 등록 ${FAULTY}, 수정 0, 그대로 0, 오류 0`).waitFor()
    await page.getByRole('button', { name: `${FAULTY}행 업로드하기` }).click()
    await lastUpload(page).getByText(`등록 ${FAULTY} · 수정 0 · 그대로 0 · 오류 0`).waitFor({ timeout: 60_000 })

    await who.open('/console/shop/products?q=UP-')
    await page.getByText('전체 1,000건').waitFor({ timeout: 30_000 })
    await who.look('올라온 상품')
  }))

test('on a phone in the dark staff are told what to do, and refused what is no table', () =>
  as(browser, { name: 'bulk-upload-phone', screen: PHONE, colorScheme: 'dark' }, async (who) => {
    const { page } = who
    await who.open(`/login?next=${PAGE}`)
    await signIn(who, 'operator')
    await page.getByRole('heading', { name: '상품 일괄 업로드' }).waitFor()
    await who.look('휴대폰')
    const path = join(tmpdir(), `jangbu-${process.pid}.xlsx`)
    await writeFile(path, 'PK is no table')
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByRole('alert').getByText('xlsx 또는 csv 파일을 올려 주세요.').waitFor()
    who.wasRefused(400)
    await who.look('휴대폰, 거절')
  }))
