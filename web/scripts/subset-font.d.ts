// Types for the part of subset-font that webfont.ts uses; the package has none.
declare module 'subset-font' {
  export type Options = {
    targetFormat: 'sfnt' | 'woff2'
    /** The kept range of each axis. */
    variationAxes?: Record<string, { min: number; max: number }>
    /** OpenType features to keep; default: all. */
    keepFeatures?: readonly string[]
    /** Name ids to keep besides the required ones. */
    preserveNameIds?: readonly number[]
    /** Keeps all glyphs instead of those of the text. */
    keepAllGlyphs?: boolean
  }
  /** The font reduced to the glyphs of a text. */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}
