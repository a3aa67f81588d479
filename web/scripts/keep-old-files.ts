// Browsers with an open tab still request files of the build they loaded, so a new build keeps those of the last week.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const KEPT_MS = 7 * 24 * 60 * 60_000

/** Empties the output folder of a build, except for hashed files built less than a week ago. */
export function sweep(folder: string, now: number): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name !== 'assets') rmSync(join(folder, name), { recursive: true })
  }
  const assets = join(folder, 'assets')
  for (const name of existsSync(assets) ? readdirSync(assets) : []) {
    const file = join(assets, name)
    if (now - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { recursive: true })
  }
}

/** Used with `build.emptyOutDir: false`. */
export function keepOldFiles(folder: string): Plugin {
  return { name: 'keep-old-files', apply: 'build', buildStart: () => sweep(folder, Date.now()) }
}
