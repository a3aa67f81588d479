// Readers who have the shop open still ask for the files of the build they began with, so a new build leaves those of the last week.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const KEPT_MS = 7 * 24 * 60 * 60_000

/** Empties the folder of a build, except for hashed files that a build wrote less than a week ago. */
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

/** Goes with `build.emptyOutDir: false`. */
export function keepOldFiles(folder: string): Plugin {
  return { name: 'keep-old-files', apply: 'build', buildStart: () => sweep(folder, Date.now()) }
}
