// Packs the built files once, better than a server has time for; it sends what is packed here to whoever takes brotli.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

const WORTH_IT = /\.(js|css|svg)$/
const LEAST = 1024

/** Writes `name.br` beside each file of a folder that becomes smaller by it, unless that is there. */
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

/** Goes last. Names with a hash stay the same as long as what is in them does. */
export function pack(folder: string): Plugin {
  return { name: 'pack', apply: 'build', closeBundle: () => packFolder(join(folder, 'assets')) }
}
