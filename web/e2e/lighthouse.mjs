// `make lighthouse`: Lighthouse scores of the home page, a list and a product of the real shop, on desktop and on a phone. Fails
// below the targets. The phone is emulated equally on every machine: its slowdown is derived from the machine's speed in Lighthouse's
// own benchmark, as its authors recommend. Lighthouse is fetched by npx: nothing else needs it.
//  JANGBU_BIN  the program (a release build, because its speed is part of the score)
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { browserPath, FLAGS } from './browser.mjs'
import { startShop } from './shop.mjs'

const LIGHTHOUSE = 'lighthouse@12.8.2'
const TARGETS = { performance: 0.9, accessibility: 1, seo: 0.95 }
/** Lighthouse benchmark index of a machine, and how many times slower a mid-range phone is (its authors' calibration). */
const CALIBRATION = [
  { index: 150, times: 1 },
  { index: 800, times: 2 },
  { index: 1300, times: 3 },
  { index: 1533, times: 4 },
  { index: 2000, times: 6 },
]
const REPORT = 100_000_000

/** Lighthouse's trace fails now and then with a request to run again. */
async function rate(url, options, tries = 3) {
  const asked = `--only-categories=${Object.keys(TARGETS)}`
  const words = ['--quiet', '--output=json', asked, `--chrome-flags=--headless ${FLAGS.join(' ')}`, ...options]
  try {
    // Not spawnSync: the shop's output has to be read meanwhile, or the shop blocks on it.
    const run = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...words], {
      maxBuffer: REPORT,
      env: { ...process.env, CHROME_PATH: browserPath() },
    })
    return JSON.parse(run.stdout)
  } catch (error) {
    if (tries === 1) throw new Error(error.stderr || error.message)
    return rate(url, options, tries - 1)
  }
}

/** How many times slower than this machine the phone is, interpolated between two calibration points and clamped at the ends. */
function slowdownOn(index) {
  const above = CALIBRATION.findIndex((point, i) => i > 0 && index <= point.index)
  const at = above === -1 ? CALIBRATION.length - 1 : above
  const [low, high] = [CALIBRATION[at - 1], CALIBRATION[at]]
  const way = Math.min(1, Math.max(0, (index - low.index) / (high.index - low.index)))
  return low.times + way * (high.times - low.times)
}

/** Slowdown measured by the previous run. */
let slower = 3
/** Tolerated ratio between the measured and the assumed slowdown. */
const KIND = 1.1

/** A phone's score with the slowdown of the previous run; repeated if this run measures a clearly faster machine. */
async function ratePhone(url, tries = 4) {
  const report = await rate(url, [`--throttling.cpuSlowdownMultiplier=${slower.toFixed(1)}`])
  slower = slowdownOn(report.environment.benchmarkIndex)
  const flattered = slower > KIND * report.configSettings.throttling.cpuSlowdownMultiplier
  return flattered && tries > 1 ? ratePhone(url, tries - 1) : report
}

const DEVICES = { desk: (url) => rate(url, ['--preset=desktop']), phone: (url) => ratePhone(url) }

/** The median of three, so that one slow moment of the machine does not count. */
async function rateFairly(rateOnce, url) {
  const all = [await rateOnce(url), await rateOnce(url), await rateOnce(url)]
  return all.sort((one, other) => one.categories.performance.score - other.categories.performance.score)[1]
}

/** The audits that pull a category below its target. */
function whatFails(categories, audits) {
  const below = Object.entries(TARGETS).filter(([name, target]) => categories[name].score < target)
  const refs = below.flatMap(([name]) => categories[name].auditRefs.filter(({ weight }) => weight > 0))
  return refs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < TARGETS.performance)
}

const shop = await startShop()
let below = 0
const objections = []
try {
  const listed = await (await fetch(`${shop.url}/api/v1/shop/products?limit=1`)).json()
  const pages = { home: '/', list: '/shop/products', product: `/shop/products/${listed.products[0]._id}` }
  process.stdout.write(
    '| page | on | performance | accessibility | SEO | LCP | blocked | shift | loaded | machine | slower |\n|---|---|---|---|---|---|---|---|---|---|---|\n',
  )
  for (const [device, rateOnce] of Object.entries(DEVICES))
    for (const [page, path] of Object.entries(pages)) {
      const { categories, audits, environment, configSettings } = await rateFairly(rateOnce, shop.url + path)
      const scores = Object.entries(TARGETS).map(([name, target]) => {
        const { score } = categories[name]
        if (score < target) below += 1
        return score < target ? `**${score}** (target ${target})` : score
      })
      const shown = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'total-byte-weight']
      const seen = shown.map((name) => audits[name].displayValue)
      const machine = [environment.benchmarkIndex, `${configSettings.throttling.cpuSlowdownMultiplier}x`]
      process.stdout.write(`| ${[page, device, ...scores, ...seen, ...machine].join(' | ')} |\n`)
      for (const { id, displayValue, details } of whatFails(categories, audits))
        objections.push(
          `${page} ${device}: ${[id, displayValue, details?.items?.[0]?.node?.snippet].filter(Boolean).join(' ')}`,
        )
    }
} finally {
  await shop.stop()
}
for (const objection of objections) process.stdout.write(`${objection}\n`)
process.exit(below > 0 ? 1 : 0)
