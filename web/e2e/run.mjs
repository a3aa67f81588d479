// `npm run e2e [files]`: starts the real program with demo data and the payment sandbox, runs the tests against it in Chromium,
// and stops it again. On failure it prints the server's output, and a summary of the failures at the end.
//   JANGBU_BIN     the program (default: the debug build)
//   CHROMIUM_PATH  the browser (default: chromium or google-chrome on PATH)
//   SHOTS          a folder for a screenshot of every step (default: none)
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import { startShop } from './shop.mjs'

/** Length limits for a message, and for the page a visitor saw, in the summary. */
const LENGTH = 600
const here = import.meta.dirname
const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(here).filter((file) => file.endsWith('.test.mjs'))
// Two at a time; the test of all pages takes longest and starts first.
files.sort((a, b) => Number(b.startsWith('routes')) - Number(a.startsWith('routes')))

/** The message of an assertion may be any value. */
const textOf = (message) => (typeof message === 'string' ? message : inspect(message))

const shop = await startShop()
Object.assign(process.env, { SHOP_URL: shop.url, SANDBOX_URL: shop.sandbox })
const failures = []
/** The page the last visitor of a file saw when a step failed. */
const pages = new Map()
const tests = run({ files: files.map((file) => `${here}/${file}`), concurrency: 2 })
tests.on('test:stderr', ({ file, message }) => {
  const before = message.includes(' stood at ') ? '' : pages.get(file)
  if (before !== undefined) pages.set(file, (before + message).slice(0, LENGTH))
})
tests.on('test:fail', ({ file, name, details }) => {
  const cause = details.error?.cause ?? details.error
  failures.push({ file, text: `${name}: ${textOf(cause?.message ?? cause).slice(0, LENGTH)}` })
})
for await (const text of tests.compose(new spec())) process.stdout.write(text)
const stopped = await shop.stop()
if (failures.length > 0 || !stopped) process.stderr.write(`\nWhat the server said:\n${shop.log()}\n`)
for (const [file, text] of pages) process.stderr.write(`\n${basename(file)}: ${text}\n`)
for (const { file, text } of failures) process.stderr.write(`\n${basename(file)}: ${text}\n`)
if (!stopped) process.stderr.write('The server did not stop when told to.\n')
process.exit(failures.length > 0 || !stopped ? 1 : 0)
