// Recomputes the draw of a raffle from what is published, as docs/raffles.md describes it; nothing of the server's answer is trusted but
// the commitment, which was published before the draw.
import { call } from '../../api/client'
import type { components } from '../../api/schema.gen'

export type Raffle = components['schemas']['RaffleView']
export type CheckResult = 'right' | 'seed' | 'chain' | 'winners'

const MARKS = '/api/v1/shop/events/{id}/marks'
const HEX = 16

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, HEX))
const hex = (of: Uint8Array) => Array.from(of, (byte) => byte.toString(HEX).padStart(2, '0')).join('')

/** A number as 4 bytes, the highest first. */
function big(number: number): Uint8Array {
  const four = new Uint8Array(4)
  new DataView(four.buffer).setUint32(0, number)
  return four
}

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all))
}

/** The marks of all entries, in the order of their numbers. */
export async function loadMarks(id: string, entries: number): Promise<string[]> {
  const marks: string[] = []
  while (marks.length < entries) {
    const answer = await call('GET', MARKS, { path: { id }, query: { after: marks.length } })
    if (answer.marks.length === 0) break
    marks.push(...answer.marks)
  }
  return marks
}

/** Whether seed, chain and winners are right; otherwise the first that is not. */
export async function checkDraw(raffle: Raffle, marks: readonly string[]): Promise<CheckResult> {
  const { draw, commitment, entries } = raffle
  if (!draw) return 'winners'
  const seed = bytes(draw.seed)
  const committed = await sha256(seed)
  if (hex(committed) !== commitment) return 'seed'
  let chain = committed
  let number = 0
  for (const mark of marks) {
    number += 1
    chain = await sha256(chain, big(number), bytes(mark))
  }
  if (number !== entries || hex(chain) !== raffle.chain) return 'chain'
  const scored: [string, number][] = []
  for (let one = 1; one <= entries; one += 1) scored.push([hex(await sha256(seed, chain, big(one))), one])
  scored.sort(([a], [b]) => (a < b ? -1 : 1))
  const passed = new Set(draw.passed)
  const winners = scored.flatMap(([, one]) => (passed.has(one) ? [] : one)).slice(0, raffle.winners)
  return winners.join() === draw.winners.join() ? 'right' : 'winners'
}
