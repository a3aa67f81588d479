// The check of a draw: against figures that another program computed, and against every kind of tampering.
import { afterEach, expect, test, vi } from 'vitest'
import { checkDraw, loadMarks, type Raffle } from './raffleCheck'

const call = vi.hoisted(() => vi.fn())
vi.mock('../../api/client', () => ({ call }))
afterEach(() => vi.clearAllMocks())

// Computed with the ten lines of Python of docs/raffles.md.
const SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const MARKS = Array.from({ length: 7 }, (_, i) => `0${i + 1}`.repeat(32))
const RAFFLE: Raffle = {
  winners: 3,
  prize: null,
  commitment: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
  entries: 7,
  chain: '8071eee5e0898e5870af8827acbaf134b16f87044ed185c735a76e78e27b40ef',
  draw: { seed: SEED, winners: [6, 7, 3], passed: [2], drawnAt: '2026-11-27T12:00:00Z' },
  mine: null,
}
const DRAW = { seed: SEED, winners: [6, 7, 3], passed: [2], drawnAt: null }

test('a right draw is confirmed', async () => {
  expect(await checkDraw(RAFFLE, MARKS)).toBe('right')
})

test('another seed, entry or winner is noticed', async () => {
  const other = (draw: Partial<typeof DRAW>) => checkDraw({ ...RAFFLE, draw: { ...DRAW, ...draw } }, MARKS)
  expect(await other({ seed: '11'.repeat(32) })).toBe('seed')
  expect(await other({ winners: [3, 7, 6] })).toBe('winners')
  expect(await other({ passed: [] })).toBe('winners')
  expect(await checkDraw(RAFFLE, MARKS.slice(1))).toBe('chain')
  expect(await checkDraw(RAFFLE, [...MARKS, '08'.repeat(32)])).toBe('chain')
  expect(await checkDraw(RAFFLE, MARKS.toReversed())).toBe('chain')
  expect(await checkDraw({ ...RAFFLE, entries: 6 }, MARKS)).toBe('chain')
})

test('all marks are loaded, page by page, and a short list ends', async () => {
  call.mockResolvedValueOnce({ marks: MARKS.slice(0, 4) }).mockResolvedValueOnce({ marks: MARKS.slice(4) })
  expect(await loadMarks('e', 7)).toEqual(MARKS)
  expect(call.mock.calls.map(([, , { query }]) => query.after)).toEqual([0, 4])
  call.mockResolvedValue({ marks: [] })
  expect(await loadMarks('e', 7)).toEqual([])
})
