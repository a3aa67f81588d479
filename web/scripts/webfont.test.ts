// @vitest-environment node
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutLetters, lettersOf, ownLetters, tableAt } from './webfont'

let folder: string
let font: Buffer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'letters-'))
  const { file } = await cutLetters(folder)
  font = await subsetFont(readFileSync(file), '', {
    targetFormat: 'sfnt',
    keepAllGlyphs: true,
    preserveNameIds: [0, 7, 13],
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The characters the font has a glyph for, from its cmap table (format 4: in ranges). */
function inFont(): Set<string> {
  const map = tableAt(font, 'cmap')
  const run = map + font.readUInt32BE(map + 8)
  expect(font.readUInt16BE(run)).toBe(4)
  const size = font.readUInt16BE(run + 6)
  const [last, first] = [run + 14, run + 16 + size]
  const found = new Set<string>()
  for (let at = 0; at < size; at += 2)
    for (let code = font.readUInt16BE(first + at); code <= font.readUInt16BE(last + at); code += 1)
      found.add(String.fromCodePoint(code))
  return found
}

/** The font's name records, by id. */
function names(): Map<number, string> {
  const table = tableAt(font, 'name')
  const texts = table + font.readUInt16BE(table + 4)
  const rows = Array.from({ length: font.readUInt16BE(table + 2) }, (_, i) => table + 6 + 12 * i)
  return new Map(
    rows.map((row) => {
      const from = texts + font.readUInt16BE(row + 10)
      const text = Buffer.from(font.subarray(from, from + font.readUInt16BE(row + 8)))
      return [font.readUInt16BE(row + 6), text.swap16().toString('utf16le')]
    }),
  )
}

describe('the subset font file', () => {
  it('has every character the app itself can show', () => {
    const has = inFont()
    expect(ownLetters().length).toBeGreaterThan(500)
    expect(ownLetters().filter((letter) => !has.has(letter))).toEqual([])
  })

  it('has a name of its own, and names the author and the licence', () => {
    const found = names()
    expect([...found].filter(([id, name]) => id !== 7 && name.includes('Pretendard'))).toEqual([])
    expect([1, 4].map((id) => found.get(id))).toEqual(['JangbuSans Variable', 'JangbuSans Variable'])
    expect(found.get(0)).toMatch(/^Copyright © 2023 Kil Hyung-jin/)
    expect(found.get(13)).toMatch(/SIL Open Font License, Version 1\.1/)
  })
})

it('parses a unicode-range of single characters and ranges', () => {
  expect(lettersOf('U+41, U+AC00-AC02,U+2c')).toEqual(['A', '가', '각', '갂', ','])
})
