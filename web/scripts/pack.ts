// Compresses the built files once, at a level too slow for each request; the server sends these to clients that accept brotli.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

const WORTH_IT = /\.(js|css|svg)$/
const LEAST = 1024

/** Writes `name.br` beside each file of a folder that gets smaller, unless it exists. */
export function packFolder(folder: string): void {
  const names = new Set(readdirSync(folder))
  for (const name of names) {
    if (!WORTH_IT.test(name) || names.has(`${name}.br`)) continue
    const plain = readFileSync(join(folder, name))
    if (plain.length < LEAST) continue
    const packed = brotliCompressSync(plain)
    if (packed.length < plain.length) writeFileSync(join(folder, `${name}.br`), packed)
  }
}

/** Runs last. A file name with a hash implies unchanged content. */
export function pack(folder: string): Plugin {
  return { name: 'pack', apply: 'build', closeBundle: () => packFolder(join(folder, 'assets')) }
}
