// Batches are requested one after the other, until the last, a stop, or a failure.
import { expect, it } from 'vitest'
import { type BatchResult, runInBatches } from './batch'

const answers: BatchResult[] = ['1', '2', null].map((next, i) => ({ done: [`${i}`], failed: [], next }))

it('continues after the last batch each time, and stops on request', async () => {
  for (const most of [1, 3]) {
    const asked: (string | undefined)[] = []
    let told = 0
    await runInBatches(
      async (after: string | undefined) => {
        asked.push(after)
        return answers[asked.length - 1] as BatchResult
      },
      () => {
        told += 1
      },
      () => told >= most,
    )
    expect(asked).toEqual([undefined, '1', '2'].slice(0, most))
    expect(told).toBe(most)
  }
})
