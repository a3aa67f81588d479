// Every kind of record in the console, tested from its schema alone (resources.json): created, changed, shown in its history, restored,
// deleted and undeleted. A new kind is tested as soon as the menu links to it. A few kinds always run, all with JANGBU_PROOFS=full.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openBrowser, visitor } from './browser.mjs'
import { signIn } from './steps.mjs'

const { resources } = JSON.parse(readFileSync(join(import.meta.dirname, '../resources.json'), 'utf8'))
const PICTURE = join(import.meta.dirname, '../public/share.png')
/** Unlike each other: one with a list, one with references, one with a position and size. */
const ALWAYS = ['shipping', 'showroom', 'popup']
const EVERY = process.env.JANGBU_PROOFS === 'full'

/** Fields filled in besides the required ones: a popup needs text or a picture. */
const MORE = { popup: ['content'] }
/** Pages of a fixed position, and banners, which have one; every position is taken. */
const OF_A_PLACE = /^\/console\/(main\/(display|banner)\/|banners$)/

let browser
let who
before(async () => {
  browser = await openBrowser()
  who = await visitor(browser, { name: 'operator-records' })
  await who.open('/login?next=/console')
  await signIn(who, 'operator')
})
after(async () => {
  await who?.leave()
  await browser?.close()
})

const button = (from, name) => from.getByRole('button', { name, exact: true })
/** The control of a field; related buttons have similar labels. */
const labelled = (within, label) =>
  within
    .getByLabel(new RegExp(`^${label.replaceAll(/[()]/g, '\\$&')}`))
    .and(who.page.locator('input:not([type="file"]), select, textarea'))
    .first()

/** Text that a field of this type accepts. */
const TEXTS = {
  text: () => '시험 이름',
  longtext: () => '시험 삼아 씁니다.',
  integer: ({ min }) => String(Math.max(1, min ?? 1)),
  amount: () => '12.50',
  percent: () => '5',
  date: () => '2026-12-01',
  datetime: () => '2026-12-01T10:00',
  url: () => '/shop/best',
  color: () => '#113355',
}

/** Fills in a field as a user would: existing values stay. */
async function fill(page, field, within = page) {
  if (field.type === 'image') {
    const choose = within
      .getByRole('group', { name: field.label })
      .getByRole('button', { name: '사진 선택', exact: true })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.first().click()])
    await chooser.setFiles(PICTURE)
    await within.getByLabel(`${field.label} 대체 텍스트`).waitFor()
  } else if (field.type === 'list') {
    await button(within, `${field.label} 추가`).click()
    const item = within.getByRole('listitem', { name: `${field.label} 1`, exact: true })
    for (const inner of field.of.filter(({ required, readOnly }) => required && !readOnly))
      await fill(page, inner, item)
  } else if (field.type === 'html') {
    await within.getByRole('textbox', { name: field.label, exact: true }).fill(TEXTS.longtext(field))
  } else if (field.type === 'reference') {
    await labelled(within, field.label).press('ArrowDown')
    await page.getByRole('option').filter({ visible: true }).first().click()
  } else if (field.type === 'enum') {
    const control = labelled(within, field.label)
    if ((await control.inputValue()) === '') await control.selectOption(field.values[0].value)
  } else if (TEXTS[field.type]) {
    const control = labelled(within, field.label)
    const text = field.name === 'code' ? 'trial-1' : TEXTS[field.type](field)
    if ((await control.inputValue()) === '') await control.fill(text)
  }
}

/** The kinds the menu links to, with their addresses. */
async function places(page) {
  await who.open('/console/dashboard')
  const menu = page.getByRole('navigation', { name: '관리 메뉴' })
  const all = await menu.getByRole('link').evaluateAll((links) => links.map((one) => one.getAttribute('href')))
  return all.filter((address) => !OF_A_PLACE.test(address))
}

async function kindAt(page, address) {
  const asked = []
  const note = (request) => asked.push(new URL(request.url()).pathname)
  page.on('request', note)
  await who.open(address)
  page.off('request', note)
  return resources.find(({ path, ledger, actions }) => !ledger && actions.includes('create') && asked.includes(path))
}

/** From creation to deletion and undo. */
async function live(page, kind) {
  await page.getByRole('main').getByRole('link', { name: '새로 만들기' }).first().click()
  await page.getByRole('heading', { level: 1, name: `${kind.title} 등록` }).waitFor()
  await who.settled()
  const asked = kind.fields.filter(
    ({ name, required, readOnly }) => (required || (MORE[kind.name] ?? []).includes(name)) && !readOnly,
  )
  for (const field of asked) {
    const isWhole = ['list', 'html', 'image'].includes(field.type)
    // A field with an editor of its own starts with a valid value.
    if (isWhole || (await labelled(page, field.label).count()) > 0) await fill(page, field)
  }
  const named = kind.fields.find(({ name }) => name === 'name')
  const name = labelled(page, named.label)
  await name.fill('시험 이름')
  await button(page, '저장').click()
  await page.getByRole('heading', { level: 1, name: '시험 이름', exact: true }).waitFor()

  await name.fill('바꾼 이름')
  await button(page, '저장').click()
  await page.getByRole('heading', { level: 1, name: '바꾼 이름', exact: true }).waitFor()
  await page
    .getByText(new RegExp(`^${named.label}:`))
    .first()
    .waitFor()
  await button(page, '이 버전으로 되돌리기').last().click()
  await button(page.getByRole('alertdialog'), '네').click()
  await page.getByRole('heading', { level: 1, name: '시험 이름', exact: true }).waitFor()
  await who.settled()
  assert.deepEqual(await who.axe(), [])

  await button(page, '삭제').click()
  await button(page.getByRole('alertdialog'), '삭제').click()
  const row = page.getByRole('table').first().getByRole('link', { name: '시험 이름', exact: true })
  // A slow machine takes time; while hovered, the toast stays.
  await button(page, '되돌리기').hover()
  // The list is shown again, without the record.
  await page.getByRole('main').getByRole('link', { name: '새로 만들기' }).first().waitFor()
  await row.waitFor({ state: 'detached' })
  await button(page, '되돌리기').click()
  await row.waitFor()
}

test('every kind of record can be created, changed, restored, deleted and undeleted', async (t) => {
  const { page } = who
  const seen = new Set()
  for (const address of await places(page)) {
    if (!EVERY && ALWAYS.every((name) => seen.has(name))) break
    const kind = await kindAt(page, address)
    if (!kind || seen.has(kind.name) || !(EVERY || ALWAYS.includes(kind.name))) continue
    seen.add(kind.name)
    await t.test(kind.title, async () => {
      try {
        await live(page, kind)
        assert.deepEqual(who.faults, [])
      } catch (error) {
        await who.shoot(`${kind.name}-failed`)
        process.stderr.write(
          `\n${kind.name} at ${page.url()}: ${(await page.getByRole('main').innerText()).slice(0, 1500)}\n`,
        )
        throw error
      } finally {
        who.faults.length = 0
      }
    })
  }
  assert.ok(
    ALWAYS.every((name) => seen.has(name)),
    [...seen].join(),
  )
})
