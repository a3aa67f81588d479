// For a long file all errors are kept, but only as many valid rows as are displayed.
import { expect, it } from 'vitest'
import { schemaOf } from '../../testing/schemas'
import {
  errorsFile,
  failedRows,
  fieldErrorText,
  type ImportReport,
  type ImportRow,
  isComplete,
  mergeReports,
  shownOf,
} from './importReport'

const row = (nr: number): ImportRow =>
  nr % 3 === 0
    ? { row: nr, action: 'error', name: `=${nr}`, errors: [{ field: 'name', code: 'x', message: '"짧습니다"' }] }
    : { row: nr, action: 'create', errors: [], name: `${nr}` }
const part = (from: number, to: number, next?: number): ImportReport => {
  const rows = Array.from({ length: to - from }, (_, i) => row(from + i))
  const errors = failedRows(rows).length
  return {
    table: 't',
    total: 900,
    next,
    summary: { rows: rows.length, creates: rows.length - errors, updates: 0, unchanged: 0, errors },
    rows,
  }
}

it('is merged batch by batch', async () => {
  const first = mergeReports(undefined, part(0, 450, 450))
  expect(isComplete(first)).toBe(false)
  const all = mergeReports(first, part(450, 900))
  expect(isComplete(all)).toBe(true)
  expect(all.summary).toEqual({ rows: 900, creates: 600, updates: 0, unchanged: 0, errors: 300 })
  expect([failedRows(all.rows).length, all.rows.length]).toEqual([300, 500])
  expect(shownOf(all.rows).every(({ action }) => action === 'error')).toBe(true)
  const lines = (await errorsFile(schemaOf('product'), all.rows).text()).split('\r\n')
  expect(lines).toHaveLength(302)
  // Cells cannot be read as formulas, and texts are quoted.
  expect(lines[1]).toBe(`"0","'=0","상품명: ""짧습니다"""`)
})

it('names columns as in the file', () => {
  const told = (field: string) => fieldErrorText(schemaOf('product'), { field, code: 'x', message: '중복되었습니다.' })
  expect([told('code'), told('_id')]).toEqual(['상품코드: 중복되었습니다.', '번호: 중복되었습니다.'])
})
