// Days people name: with or without the year, in the ways they write them, and none that never was.
import { expect, it } from 'vitest'
import { seoulDay } from '../../lib/seoul-day'
import { namedDayFault, namedDayText, namedDayWords } from './day'

it('understands how days are written', () => {
  expect(['1990. 12. 31.', '1990/12/31', ' 12-31 ', '02.29'].map(namedDayText)).toEqual([
    '1990-12-31',
    '1990-12-31',
    '12-31',
    '02-29',
  ])
})

it('takes a day of any year, and refuses what never was and what is yet to come', () => {
  for (const day of ['', '1990-12-31', '02-29', '2024-02-29', seoulDay(0)])
    expect(namedDayFault(day), day).toBeUndefined()
  for (const day of ['2023-02-29', '02-30', '13-01', '1990', 'abc'])
    expect(namedDayFault(day), day).toBe(namedDayWords.invalid)
  expect(namedDayFault(seoulDay(1))).toBe(namedDayWords.future)
})
