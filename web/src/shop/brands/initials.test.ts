// @vitest-environment node
// Brands by 초성 and alphabet.
import { describe, expect, it } from 'vitest'
import type { Brand } from '../../features/content/api'
import { byLetter, letterOf, lettersOf, ofLetter } from './initials'

const brand = (name: string, initial?: string, nameEn?: string): Brand => ({
  _id: name,
  code: name,
  name,
  initial,
  nameEn,
  productCount: 0,
})

describe('a name', () => {
  it.each([
    ['바람', 'ㅂ'],
    ['씨앗', 'ㅅ'],
    ['까치', 'ㄱ'],
    ['alton', 'A'],
    ['3T', '0'],
    ['힣', 'ㅎ'],
  ])('%s is sorted under %s', (name, letter) => expect(letterOf(name)).toBe(letter))
})

describe('an index of brands', () => {
  it('has 초성 first, then the alphabet, then the rest, and names in order', () => {
    const groups = byLetter([
      brand('Trek'),
      brand('북한산'),
      brand('7번가'),
      brand('바람'),
      brand('가온'),
      brand('MOA', 'ㅁ'),
    ])
    expect(groups.map(({ letter, brands }) => [letter, brands.map(({ name }) => name).join()])).toEqual([
      ['ㄱ', '가온'],
      ['ㅁ', 'MOA'],
      ['ㅂ', '바람,북한산'],
      ['T', 'Trek'],
      ['0', '7번가'],
    ])
  })

  it('finds a brand by the letter of its Latin name, too', () => {
    const brands = [brand('남산', undefined, 'Namsan'), brand('노을', undefined, 'Sunset'), brand('Nook')]
    const found = (letter: string) =>
      ofLetter(letter, brands).map(({ brands }) => brands.map(({ name }) => name).join())
    expect([found('ㄴ'), found('N'), found('Q')]).toEqual([['남산,노을'], ['남산,Nook'], []])
    expect(new Set(brands.flatMap(lettersOf))).toEqual(new Set(['ㄴ', 'N', 'S']))
  })
})
