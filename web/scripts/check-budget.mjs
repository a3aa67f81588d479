// Weighs the built app (brotli, as the server sends it to browsers): the first load, and each page on top of it. Fails when a limit is passed.
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'

const KB = 1024
/** Limits in KB. The console may weigh more than a shop's screen: its people stay all day. */
const LIMITS = { entry: 120, css: 25, shopPage: 60, consolePage: 110, editor: 150 }

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const weight = (file) => brotliCompressSync(readFileSync(new URL(file, dist))).length / KB

/** All chunks that come with `key` without being asked for later. */
function graph(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of manifest[key].imports ?? []) graph(next, seen)
  return seen
}

const sum = (keys) => [...keys].reduce((total, key) => total + weight(manifest[key].file), 0)
const entryKey = Object.keys(manifest).find((key) => manifest[key].isEntry)
const entry = graph(entryKey)
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
for (const key of Object.keys(manifest).filter((k) => manifest[k].isDynamicEntry && !k.endsWith('/Gallery.tsx'))) {
  const own = [...graph(key)].filter((k) => !entry.has(k))
  const limit = key.endsWith('/RichText.tsx')
    ? LIMITS.editor
    : key.startsWith('src/console/') || key.includes('Console')
      ? LIMITS.consolePage
      : LIMITS.shopPage
  judge(key, sum(own), limit)
}
const zod = [...entry].some((key) => /\bZodType\b/.test(readFileSync(new URL(manifest[key].file, dist), 'utf8')))
if (zod) failures.push('zod is in the first load')
if (failures.length > 0) {
  process.stderr.write(`too heavy:\n${failures.join('\n')}\n`)
  process.exit(1)
}
