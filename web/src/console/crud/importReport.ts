// What the server tells of a file of records, part by part, put together.

import type { FieldError } from '../../api/errors'
import type { components } from '../../api/schema.gen'
import { importWords } from './importWords'
import { fieldOf, type ResourceSchema } from './schema'

/** The longest file, as the server takes it. */
export const BYTES_MOST = 20 * 1024 * 1024
/** How many valid rows are kept for display; rows with errors are all kept. */
const SHOWN = 200

type S = components['schemas']

/** The document says of `changes` that it is an object. */
export type ImportRow = Omit<S['RowOutcome'], 'changes'> & {
  changes?: Record<string, { from: string; to: string }> | null
}
/** What became, or would become, of lines of a table. */
export type ImportReport = Omit<S['Imported'], 'rows'> & { rows: ImportRow[] }

/** What was told, and the part behind it. */
export function mergeReports(told: ImportReport | undefined, part: ImportReport): ImportReport {
  if (!told) return { ...part, rows: kept(part.rows) }
  const summary = { ...part.summary }
  for (const name of Object.keys(summary) as (keyof ImportReport['summary'])[]) summary[name] += told.summary[name]
  return { ...part, summary, rows: kept([...told.rows, ...part.rows]) }
}

function kept(rows: readonly ImportRow[]): ImportRow[] {
  let room = SHOWN
  return rows.filter((row) => {
    if (row.action === 'error') return true
    room -= 1
    return room >= 0
  })
}

/** Lines that are shown: those with a fault first. */
export const shownOf = (rows: readonly ImportRow[]): ImportRow[] =>
  [...failedRows(rows), ...rows.filter((row) => row.action !== 'error')].slice(0, SHOWN)

/** Lines with a fault. */
export const failedRows = (rows: readonly ImportRow[]): ImportRow[] => rows.filter((row) => row.action === 'error')

/** Lines that make or change something. */
export const validCount = ({ summary }: ImportReport): number => summary.creates + summary.updates

/** That was the whole file. */
export const isComplete = ({ next }: ImportReport): boolean => next === undefined || next === null

/** What is wrong, as people call the field. */
export const fieldErrorText = (kind: ResourceSchema, { field, message }: FieldError): string =>
  `${field === '_id' ? importWords.id : (fieldOf(kind, field)?.label ?? field)}: ${message}`

/** A text as a cell: spreadsheets take what begins like a formula for one. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** The lines with a fault as a file to be read beside the one they are from. */
export function errorsFile(kind: ResourceSchema, rows: readonly ImportRow[]): Blob {
  const k = importWords
  const lines = failedRows(rows).map(({ row, name, errors }) => [
    String(row),
    name ?? '',
    errors.map((error) => fieldErrorText(kind, error)).join(' / '),
  ])
  const table = [[k.row, k.name, k.changes], ...lines]
  return new Blob([`\uFEFF${table.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`], { type: 'text/csv' })
}
