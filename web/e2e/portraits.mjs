// `npm run portraits`: takes the README's pictures again, into docs/pictures/.
//   JANGBU_BIN, CHROMIUM_PATH  as for `npm run e2e`
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startShop } from './shop.mjs'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const SCREEN = { width: 1280, height: 860 }

const shop = await startShop()
process.env.SHOP_URL = shop.url
process.env.SANDBOX_URL = shop.sandbox
const { as, openBrowser, PHONE } = await import('./browser.mjs')
const { find, signIn } = await import('./steps.mjs')

const browser = await openBrowser()

/** Saves a screenshot as WebP, which only the browser's canvas can encode. */
async function keep({ page }, name) {
  const png = (await page.screenshot()).toString('base64')
  const canvas = await browser.newPage()
  const webp = await canvas.evaluate(async (source) => {
    const image = new Image()
    image.src = source
    await image.decode()
    const sheet = new OffscreenCanvas(image.width, image.height)
    sheet.getContext('2d').drawImage(image, 0, 0)
    const blob = await sheet.convertToBlob({ type: 'image/webp', quality: 0.85 })
    return [...new Uint8Array(await blob.arrayBuffer())]
  }, `data:image/png;base64,${png}`)
  await canvas.close()
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(webp))
}

await as(browser, { name: 'guest', screen: SCREEN }, async (who) => {
  const { page } = who
  await who.open('/')
  await page.getByRole('button', { name: /^닫기/ }).click()
  await page.mouse.move(0, 0)
  await who.settled()
  await keep(who, 'shop')
})

await as(browser, { name: 'phone', screen: PHONE }, async (who) => {
  await who.open('/')
  await find(who, '바람 로드', '바람 로드 105')
  await keep(who, 'phone')
})

await as(browser, { name: 'operator', screen: SCREEN }, async (who) => {
  const { page } = who
  await who.open('/login?next=/console/shop/purchases/complete')
  await signIn(who, 'operator')
  await who.settled()
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  const slider = page.getByRole('slider')
  await slider.focus()
  await slider.press('End')
  while (!/결제가 완료/.test((await slider.getAttribute('aria-valuetext')) ?? '')) await slider.press('ArrowLeft')
  await who.settled()
  await page.evaluate(() => scrollTo(0, 0))
  await keep(who, 'history')
})

await browser.close()
process.exit((await shop.stop()) ? 0 : 1)
