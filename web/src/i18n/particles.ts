// Korean particles, which depend on the last letter of the word before them.

const HANGUL = 0xac00
const FINALS = 28
/** Whether a word's last letter has a final consonant; other than Hangul counts as having one. */
const isClosed = (word: string): boolean => {
  const letter = (word.codePointAt(word.length - 1) ?? 0) - HANGUL
  return letter < 0 || letter % FINALS !== 0
}
/** A word with its subject particle: 배너가, 상품이. */
export const subject = (word: string): string => `${word}${isClosed(word) ? '이' : '가'}`
/** A word with its object particle: 배너를, 상품을. */
export const object = (word: string): string => `${word}${isClosed(word) ? '을' : '를'}`
