// Renders two placeholder pictures per demo product into public/pictures (800 px webp): `make pictures`. Product names as arguments
// render only those, `new` only missing ones.
// Needs three and playwright-core installed beside it and a Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
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
const catalogue = JSON.parse(readFileSync(join(web, '../api/demo/data/catalogue.json'), 'utf8'))
const pictureOf = (code) => catalogue.products.find((product) => product.code === code).picture
const sets = catalogue.sets.map(({ code, parts }) => ({
  code,
  picture: { kind: 'set', options: { parts: parts.map((part) => pictureOf(part.code)) } },
}))
/** The typical view and another one: rotation and height. */
const VIEWS = { '': [0.45, 0.22], '-2': [-0.75, 0.34] }
const wanted = process.argv.slice(2)
const shots = [...catalogue.products, ...sets].flatMap(({ code, picture }) =>
  Object.entries(VIEWS).map(([view, angle]) => ({ code, picture, angle, file: join(out, `${code}${view}.webp`) })),
)
const isWanted = ({ code, file }) =>
  wanted.length === 0 || wanted.includes(code) || (wanted.includes('new') && !existsSync(file))

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
for (const { picture, angle, file } of shots.filter(isWanted)) {
  const url = await tab.evaluate(
    ([{ kind, options }, [az, el]]) => window.shoot(kind, options, az, el),
    [picture, angle],
  )
  const bytes = Buffer.from(url.split(',')[1], 'base64')
  writeFileSync(file, bytes)
  console.log(`${file} ${bytes.length} bytes`)
}
await browser.close()
server.close()
