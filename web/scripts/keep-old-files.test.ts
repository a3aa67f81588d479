// @vitest-environment node
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sweep } from './keep-old-files'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dist-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('keeps hashed files of the last week and deletes the rest', () => {
  const now = Date.now()
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, 'pictures'))
  writeFileSync(join(folder, 'index.html'), '')
  for (const [name, days] of [
    ['index-new.js', 0],
    ['index-old.js', 6],
    ['index-gone.js', 8],
  ] as const) {
    const at = (now - days * 24 * 60 * 60_000) / 1000
    writeFileSync(join(folder, 'assets', name), '')
    utimesSync(join(folder, 'assets', name), at, at)
  }
  sweep(folder, now)
  expect(readdirSync(folder)).toEqual(['assets'])
  expect(readdirSync(join(folder, 'assets')).sort()).toEqual(['index-new.js', 'index-old.js'])
})

it('works before the first build', () => {
  expect(() => sweep(join(folder, 'none'), Date.now())).not.toThrow()
})
