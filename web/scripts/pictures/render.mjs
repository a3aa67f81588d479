// Draws one stand-in picture per demo product into public/pictures (800 px webp): `make pictures`.
// Needs three and playwright-core beside it and a Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const web = resolve(here, '../..')
const three = dirname(dirname(createRequire(import.meta.url).resolve('three')))
const out = join(web, 'public/pictures')
mkdirSync(out, { recursive: true })
const { products } = JSON.parse(readFileSync(join(web, '../api/seed/catalogue.json'), 'utf8'))

const page = `<!doctype html><meta charset="utf-8"><script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/"}}</script><body><script type="module" src="/scene.js"></script>`
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript' }
const server = createServer((request, response) => {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page)
  const file = request.url.startsWith('/three/') ? join(three, request.url.slice(7)) : join(here, request.url)
  if (!existsSync(file)) return response.writeHead(404).end()
  response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
}).listen(0, '127.0.0.1')
await new Promise((ready) => server.once('listening', ready))

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
const tab = await browser.newPage({ viewport: { width: 820, height: 820 } })
tab.on('pageerror', (error) => console.error(error))
await tab.goto(`http://127.0.0.1:${server.address().port}/`)
await tab.waitForFunction(() => window.ready)
for (const [index, product] of products.entries()) {
  const url = await tab.evaluate(({ kind, options }) => window.shoot(kind, options), product.picture)
  const bytes = Buffer.from(url.split(',')[1], 'base64')
  writeFileSync(join(out, `${product.code}.webp`), bytes)
  console.log(`${index + 1}/${products.length} ${product.code} ${bytes.length} bytes`)
}
await browser.close()
server.close()
