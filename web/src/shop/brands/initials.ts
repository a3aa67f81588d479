// Brands by initial: 초성 first, then the Latin alphabet, then the rest. A letter of the alphabet also finds brands
// whose Latin name begins with it.
import type { Brand } from '../../features/content/api'

export const CONSONANTS = ['ㄱ', 'ㄴ', 'ㄷ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅅ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'] as const
export const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Digits and signs. */
export const REST = '0'

const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
const PER_CONSONANT = 588
/** Doubled consonants count as the single one. */
const LEADS = [...'ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ']

/** The initial of a name. */
export function letterOf(name: string): string {
  const first = name.trim().charAt(0)
  const code = first.codePointAt(0) ?? 0
  if (code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE)
    return LEADS[Math.floor((code - FIRST_SYLLABLE) / PER_CONSONANT)] ?? REST
  const upper = first.toUpperCase()
  return ALPHABET.includes(upper) ? upper : REST
}

const ORDER = [...CONSONANTS, ...ALPHABET, REST]

/** The initial of a brand in the index. */
const placeOf = (brand: Brand): string =>
  brand.initial && ORDER.includes(brand.initial) ? brand.initial : letterOf(brand.name)

/** The letters that find a brand: its initial, and that of its Latin name. */
export const lettersOf = (brand: Brand): string[] => [placeOf(brand), ...(brand.nameEn ? [letterOf(brand.nameEn)] : [])]

const inOrder = (brands: Brand[]): Brand[] => brands.sort((a, b) => a.name.localeCompare(b.name, 'ko'))

/** The group of one letter; empty when no brand matches. */
export function ofLetter(letter: string, brands: readonly Brand[]): { letter: string; brands: Brand[] }[] {
  const found = brands.filter((brand) => lettersOf(brand).includes(letter))
  return found.length > 0 ? [{ letter, brands: inOrder(found) }] : []
}

/** Groups in the order of the letters, names in order within them. */
export function byLetter(brands: readonly Brand[]): { letter: string; brands: Brand[] }[] {
  const groups = new Map<string, Brand[]>()
  for (const brand of brands) {
    const letter = placeOf(brand)
    groups.set(letter, [...(groups.get(letter) ?? []), brand])
  }
  return [...groups]
    .sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([letter, inside]) => ({ letter, brands: inOrder(inside) }))
}
