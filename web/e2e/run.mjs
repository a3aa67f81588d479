// `npm run e2e [files]`: starts the real program with demo data and the payment sandbox, runs the journeys against it in Chromium,
// and stops it again. When something fails it shows what the server said.
//   JANGBU_BIN     the program (default: the debug build)
//   CHROMIUM_PATH  the browser (default: chromium or google-chrome on PATH)
//   SHOTS          a folder for a screenshot of every step (default: none)
import { readdirSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startShop } from './shop.mjs'

const here = import.meta.dirname
const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(here).filter((file) => file.endsWith('.test.mjs'))
// Two at a time; the walk through all pages takes longest and goes first.
files.sort((a, b) => Number(b.startsWith('routes')) - Number(a.startsWith('routes')))

const shop = await startShop()
Object.assign(process.env, { SHOP_URL: shop.url, SANDBOX_URL: shop.sandbox })
let failed = false
const tests = run({ files: files.map((file) => `${here}/${file}`), concurrency: 2 })
tests.on('test:fail', () => {
  failed = true
})
for await (const text of tests.compose(new spec())) process.stdout.write(text)
const stopped = await shop.stop()
if (failed || !stopped) {
  process.stderr.write(`\nWhat the server said:\n${shop.log()}\n`)
  if (!stopped) process.stderr.write('The server did not stop when told to.\n')
}
process.exit(failed || !stopped ? 1 : 0)
