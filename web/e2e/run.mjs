// `npm run e2e [files]`: starts the real program with demo data and the payment sandbox, runs the journeys against it in Chromium,
// and stops it again. When something fails it shows what the server said, and what failed last of all.
//   JANGBU_BIN     the program (default: the debug build)
//   CHROMIUM_PATH  the browser (default: chromium or google-chrome on PATH)
//   SHOTS          a folder for a screenshot of every step (default: none)
//   CI             a file that failed runs once more, alone and in a shop of its own: a browser that stalls on a busy machine does not
//                  fail the run. Both runs are shown; a file that failed once and passed then is listed as unsteady.
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startShop } from './shop.mjs'

/** Characters of what a visitor saw that are shown again at the end. */
const SEEN = 600
const here = import.meta.dirname
const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(here).filter((file) => file.endsWith('.test.mjs'))
// Two at a time; the walk through all pages takes longest and goes first.
files.sort((a, b) => Number(b.startsWith('routes')) - Number(a.startsWith('routes')))

/** Runs the files in a new shop; what failed in which file, told in a few lines. */
async function journeys(names, concurrency) {
  const shop = await startShop()
  Object.assign(process.env, { SHOP_URL: shop.url, SANDBOX_URL: shop.sandbox })
  const failed = new Map()
  const seen = new Map()
  const tests = run({ files: names.map((file) => `${here}/${file}`), concurrency })
  tests.on('test:stderr', ({ file, message }) => {
    const before = message.includes(' stood at ') ? '' : seen.get(basename(file))
    if (before !== undefined) seen.set(basename(file), (before + message).slice(0, SEEN))
  })
  tests.on('test:fail', ({ file, name, details }) => {
    const cause = details.error?.cause ?? details.error
    const told = failed.get(basename(file)) ?? []
    failed.set(basename(file), [...told, `${name}: ${String(cause?.message ?? cause).slice(0, SEEN)}`])
  })
  for await (const text of tests.compose(new spec())) process.stdout.write(text)
  const stopped = await shop.stop()
  if (failed.size > 0 || !stopped) process.stderr.write(`\nWhat the server said:\n${shop.log()}\n`)
  if (!stopped) failed.set('server', ['it did not stop when told to'])
  for (const [file, text] of seen) failed.get(file)?.push(text)
  return failed
}

const tell = (title, failed) => {
  const lines = [...failed].map(([file, told]) => `${file}\n  ${told.join('\n').replaceAll('\n', '\n  ')}`)
  process.stderr.write(`\n${title}:\n${lines.join('\n')}\n`)
}

let failed = await journeys(files, 2)
if (failed.size > 0 && process.env.CI) {
  tell('Failed, and run once more', failed)
  const again = files.filter((file) => failed.has(file))
  const unsteady = failed
  failed = again.length > 0 ? await journeys(again, 1) : failed
  if (failed.size === 0) tell('Unsteady: failed once, passed alone', unsteady)
}
if (failed.size > 0) tell('Failed', failed)
process.exit(failed.size > 0 ? 1 : 0)
