import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { srcsetOf, WIDTHS } from './pictures'

const read = (path: string) => readFileSync(path, 'utf8')

describe('picture sizes', () => {
  it('are those of the server', () => {
    const widths = /WIDTHS: \[u32; 4\] = \[([^\]]*)\]/.exec(read('../api/application/src/blob_store.rs'))?.[1]
    expect(widths).toBe(WIDTHS.join(', '))
  })
  it('exist for pictures of the shop only', () => {
    expect(srcsetOf('/pictures/A-1.webp')).toBe(
      '/pictures/A-1-200.webp 200w, /pictures/A-1-400.webp 400w, /pictures/A-1-800.webp 800w, /pictures/A-1-1600.webp 1600w',
    )
    expect(srcsetOf('/files/a.pdf')).toBeUndefined()
    expect(srcsetOf('blob:x')).toBeUndefined()
    expect(srcsetOf('https://elsewhere.example/files/a.webp')).toBeUndefined()
  })
  it.each([
    ['CARD_SIZES', 'src/features/products/ProductCard.tsx'],
    ['PRODUCT_SIZES', 'src/ui/ImageLightbox.tsx'],
  ])('%s is preloaded by the page, and %s uses it', (name, file) => {
    const sizes = new RegExp(`${name}: &str =\\s+"([^"]*)"`).exec(read('../api/src/http/web/page_meta.rs'))?.[1]
    expect(sizes).toBeTruthy()
    expect(read(file)).toContain(String(sizes))
  })
})
