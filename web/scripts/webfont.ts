// The subset of Pretendard that most pages need: its most common characters and those of all app texts, cut into one file when the app is
// built or served (src/ui/webfont.ts). Rarer characters come from Pretendard's own subsets.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import subsetFont, { type Options } from 'subset-font'
import type { Plugin } from 'vite'

const WEB = join(import.meta.dirname, '..')
const PRETENDARD = join(WEB, 'node_modules/pretendard/dist')
const FONT = join(PRETENDARD, 'public/variable/PretendardVariable.ttf')
const PARTS = join(PRETENDARD, 'web/variable/pretendardvariable-dynamic-subset.css')

/** Pretendard's subsets are ordered by frequency; ours includes the Korean and Latin characters of this many. */
const COMMON_PARTS = 16
const FOREIGN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Weights start at regular; keeps the OpenType features that styles use, and the names with author and licence. */
const CUT: Options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 930 } },
  keepFeatures: ['calt', 'ccmp', 'clig', 'kern', 'locl', 'mark', 'mkmk', 'rlig', 'tnum'],
  preserveNameIds: [0, 7, 8, 9, 11, 13, 14],
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
/** The licence (SIL OFL 1.1) reserves this name for the original font. Ours is as long, so that no table offset changes. */
const THEIRS = utf16('Pretendard')
const OURS = utf16('JangbuSans')
/** Name id of the trademark notice. */
const TRADEMARK = 7

/** Characters of all app texts: the source, index.html, and the server's resource schemas. */
export function ownLetters(): string[] {
  const source = readdirSync(join(WEB, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|json)$/.test(file) && !/\.(test|gen)\.|^testing/.test(file))
    .map((file) => join('src', file))
  const texts = ['index.html', 'resources.json', ...source].map((file) => readFileSync(join(WEB, file), 'utf8'))
  return [...texts.join('')].filter((letter) => letter >= ' ')
}

/** The characters of a `unicode-range`. */
export function lettersOf(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
  })
}

/** The characters of the most used subsets. */
function commonLetters(): string[] {
  const parts = [...readFileSync(PARTS, 'utf8').matchAll(/unicode-range:([^;]+);/g)]
  return parts
    .slice(-COMMON_PARTS)
    .flatMap(([, range = '']) => lettersOf(range))
    .filter((letter) => letter >= ' ' && !FOREIGN.test(letter))
}

/** The offset of a table in an uncompressed font. */
export function tableAt(font: Buffer, name: string): number {
  for (let row = 12; row < 12 + 16 * font.readUInt16BE(4); row += 16)
    if (font.toString('latin1', row, row + 4) === name) return font.readUInt32BE(row + 8)
  throw new Error(`no table "${name}" in the font`)
}

/** The same font under our name. */
function renamed(font: Buffer): Buffer {
  const names = tableAt(font, 'name')
  const texts = names + font.readUInt16BE(names + 4)
  for (let row = names + 6; row < names + 6 + 12 * font.readUInt16BE(names + 2); row += 12) {
    if (font.readUInt16BE(row + 6) === TRADEMARK) continue
    const from = texts + font.readUInt16BE(row + 10)
    const text = font.subarray(from, from + font.readUInt16BE(row + 8))
    for (let at = text.indexOf(THEIRS); at >= 0; at = text.indexOf(THEIRS, at)) OURS.copy(text, at)
  }
  return font
}

/** The font file and its characters; cached by characters and options. */
export async function cutLetters(folder: string): Promise<{ file: string; letters: string[] }> {
  const letters = [...new Set([...commonLetters(), ...ownLetters()])].sort()
  const font = readFileSync(FONT)
  const hash = createHash('sha256').update(font).update(letters.join('')).update(JSON.stringify(CUT)).digest('hex')
  const file = join(folder, hash.slice(0, 8), 'jangbu-sans.woff2')
  if (!existsSync(file)) {
    const cut = await subsetFont(renamed(font), letters.join(''), CUT)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, cut)
  }
  return { file, letters }
}

/** Formats characters as `unicode-range`. */
const rangeOf = (letters: readonly string[]): string =>
  letters.map((letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join()

/** Vite plugin: inserts the font's file and `unicode-range` into src/ui/webfont.ts. */
export function webfont(): Plugin {
  let folder = ''
  return {
    name: 'webfont',
    enforce: 'pre',
    configResolved: ({ cacheDir }) => {
      folder = join(cacheDir, 'letters')
    },
    transform: {
      filter: { id: /\/src\/ui\/webfont\.ts(\?|$)/ },
      async handler(code, id) {
        const { file, letters } = await cutLetters(folder)
        return code.replace('jangbu-sans.woff2', relative(dirname(id), file)).replace('U+0-10FFFF', rangeOf(letters))
      },
    },
  }
}
