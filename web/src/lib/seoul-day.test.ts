// @vitest-environment node
// The ranking is of the day before in Seoul (spec V245).
import { describe, expect, it } from 'vitest'
import { seoulDay } from './seoul-day'

describe('a day in Seoul', () => {
  it('begins at 15:00 UTC of the day before (V245)', () => {
    expect(seoulDay(0, Date.parse('2026-11-20T14:59:59Z'))).toBe('2026-11-20')
    expect(seoulDay(0, Date.parse('2026-11-20T15:00:00Z'))).toBe('2026-11-21')
    expect(seoulDay(-1, Date.parse('2026-11-20T15:00:00Z'))).toBe('2026-11-20')
  })
})
