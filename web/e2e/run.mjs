// `npm run e2e [files]`: starts the real program with demo data and the payment sandbox, runs the journeys against it in Chromium,
// and stops it again. When something fails it shows what the server said.
//   JANGBU_BIN     the program (default: the debug build)
//   CHROMIUM_PATH  the browser (default: chromium or google-chrome on PATH)
//   SHOTS          a folder for a screenshot of every step (default: none)
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { startShop } from './shop.mjs'

const here = import.meta.dirname
const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(here).filter((file) => file.endsWith('.test.mjs'))

const shop = await startShop()
const tests = spawn(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files.map((file) => `${here}/${file}`)],
  { stdio: 'inherit', env: { ...process.env, SHOP_URL: shop.url, SANDBOX_URL: shop.sandbox } },
)
const code = await new Promise((done) => tests.on('exit', (status) => done(status ?? 1)))
const stopped = await shop.stop()
if (code !== 0 || !stopped) {
  process.stderr.write(`\nWhat the server said:\n${shop.log()}\n`)
  if (!stopped) process.stderr.write('The server did not stop when told to.\n')
}
process.exit(code === 0 && stopped ? 0 : 1)
