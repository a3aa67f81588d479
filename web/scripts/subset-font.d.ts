// What letters.ts uses of the package, which has no types of its own.
declare module 'subset-font' {
  export type Options = {
    targetFormat: 'sfnt' | 'woff2'
    /** The part of each axis that is kept. */
    variationAxes?: Record<string, { min: number; max: number }>
    /** The OpenType features that are kept; missing: all. */
    keepFeatures?: readonly string[]
    /** Names kept besides those every font needs. */
    preserveNameIds?: readonly number[]
    /** All letters, instead of those of the text. */
    keepAllGlyphs?: boolean
  }
  /** The font with nothing but the letters of a text. */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}
