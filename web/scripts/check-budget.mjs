// Checks the size of the built app (brotli, as sent to browsers): the first load, each page on top of it, the home page as a whole,
// the console's lists with their frame, chunks too large for any page, and product pictures. Fails when a limit is exceeded.
// The home page's real transfers, and pictures in the sizes the server cuts, are checked in Chromium: e2e/weight.test.mjs.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'

const KB = 1024
/** Limits in KB. The console may be larger than a shop page: its users stay all day. */
const LIMITS = {
  entry: 108,
  css: 25,
  shopPage: 60,
  home: 126.4,
  consolePage: 100,
  chart: 120,
  editor: 150,
  picture: 45,
}
/** Chunks loaded on demand, which no page may include in its own load. */
const HEAVY = { 'src/console/sales/Chart.tsx': LIMITS.chart, 'src/console/crud/inputs/RichText.tsx': LIMITS.editor }
const HOME = 'src/shop/home/index.tsx'
/** The frame of the console, and the gallery, which only developers open. */
const FRAME = 'src/app/console/index.tsx'
const GALLERY = 'src/app/pages/Gallery.tsx'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const weights = new Map()
function weight(file) {
  if (!weights.has(file)) weights.set(file, brotliCompressSync(readFileSync(new URL(file, dist))).length / KB)
  return weights.get(file)
}

/** All chunks that are statically imported by `key`. */
function graph(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of manifest[key].imports ?? []) graph(next, seen)
  return seen
}

const sum = (keys) => [...new Set(keys)].reduce((total, key) => total + weight(manifest[key].file), 0)
const entryKey = Object.keys(manifest).find((key) => manifest[key].isEntry)
const entry = graph(entryKey)
const ownOf = (key) => [...graph(key)].filter((one) => !entry.has(one))
const failures = []
function judge(name, size, limit) {
  const line = `${name.padEnd(44)} ${size.toFixed(1).padStart(7)} KB of ${limit}`
  if (size > limit) failures.push(line)
  process.stdout.write(`${line}\n`)
}

judge('first load, JS', sum(entry), LIMITS.entry)
const styles = new Set([...entry].flatMap((key) => manifest[key].css ?? []))
judge(
  'first load, CSS',
  [...styles].reduce((total, file) => total + weight(file), 0),
  LIMITS.css,
)
judge('home, all JS', sum([...entry, ...graph(HOME)]), LIMITS.home)

/** How many resource schemas a chunk contains. */
const schemasIn = (key) => readFileSync(new URL(manifest[key].file, dist), 'utf8').split('defaultSort:').length - 1
const chunks = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry && key !== GALLERY)
for (const key of [HOME, FRAME, ...Object.keys(HEAVY)])
  if (!chunks.includes(key)) failures.push(`${key} is no chunk of its own any more`)
/** The largest chunk of each: no other page may include it. */
const banned = Object.keys(HEAVY)
  .filter((key) => chunks.includes(key))
  .map((key) =>
    ownOf(key).reduce((one, other) => (weight(manifest[one].file) < weight(manifest[other].file) ? other : one)),
  )
for (const key of chunks) {
  const own = ownOf(key)
  const isConsole = /^src\/(app\/)?console\//.test(key)
  if (HEAVY[key]) judge(key, sum(own), HEAVY[key])
  // A list of the console always comes with its frame.
  else if (isConsole) judge(`${key}, framed`, sum([...own, ...ownOf(FRAME)]), LIMITS.consolePage)
  else judge(key, sum(own), LIMITS.shopPage)
  if (!HEAVY[key] && own.some((one) => banned.includes(one))) failures.push(`${key} brings a chart or the editor along`)
  if (own.reduce((total, one) => total + schemasIn(one), 0) > 1)
    failures.push(`${key} brings schemas of other kinds along`)
}
const pictures = new URL('../public/pictures/', import.meta.url)
const [heaviest] = readdirSync(pictures)
  .map((name) => ({ name, size: statSync(new URL(name, pictures)).size / KB }))
  .sort((one, other) => other.size - one.size)
judge(`the heaviest picture, ${heaviest.name}`, heaviest.size, LIMITS.picture)

if (failures.length > 0) {
  process.stderr.write(`too heavy:\n${failures.join('\n')}\n`)
  process.exit(1)
}
