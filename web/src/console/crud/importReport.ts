// The report of an import, merged from the reports of its batches.

import type { FieldError } from '../../api/errors'
import type { components } from '../../api/schema.gen'
import { importWords } from './importWords'
import { fieldOf, type ResourceSchema } from './schema'

/** The server's limit for a file's size. */
const BYTES_MOST = 20 * 1024 * 1024
/** The types of file the server reads. */
const READABLE = /\.(xlsx|csv)$/i

/** Why a file is not sent at all; undefined for one that is. */
export const fileFault = ({ name, size }: File): string | undefined =>
  READABLE.test(name) ? (size > BYTES_MOST ? importWords.tooLarge : undefined) : importWords.unreadable

/** How many valid rows are kept for display; rows with errors are all kept. */
const SHOWN = 200

type S = components['schemas']

/** The document declares `changes` only as an object. */
export type ImportRow = Omit<S['RowOutcome'], 'changes'> & {
  changes?: Record<string, { from: string; to: string }> | null
}
/** Result of a batch of rows, or its preview. */
export type ImportReport = Omit<S['ImportReport'], 'rows'> & { rows: ImportRow[] }

export function mergeReports(report: ImportReport | undefined, part: ImportReport): ImportReport {
  if (!report) return { ...part, rows: limitRows(part.rows) }
  const summary = { ...part.summary }
  for (const name of Object.keys(summary) as (keyof ImportReport['summary'])[]) summary[name] += report.summary[name]
  return { ...part, summary, rows: limitRows([...report.rows, ...part.rows]) }
}

function limitRows(rows: readonly ImportRow[]): ImportRow[] {
  let room = SHOWN
  return rows.filter((row) => {
    if (row.action === 'error') return true
    room -= 1
    return room >= 0
  })
}

/** Rows to show, those with errors first. */
export const shownOf = (rows: readonly ImportRow[]): ImportRow[] =>
  [...failedRows(rows), ...rows.filter((row) => row.action !== 'error')].slice(0, SHOWN)

export const failedRows = (rows: readonly ImportRow[]): ImportRow[] => rows.filter((row) => row.action === 'error')

/** Rows that create or change a record. */
export const validCount = ({ summary }: ImportReport): number => summary.creates + summary.updates

export const isComplete = ({ next }: ImportReport): boolean => next === undefined || next === null

/** An error with its field's label. */
export const fieldErrorText = (kind: ResourceSchema, { field, message }: FieldError): string =>
  `${field === '_id' ? importWords.id : ((fieldOf(kind, field) ?? fieldOf(kind, field.split('.')[0] ?? field))?.label ?? field)}: ${message}`

/** A CSV cell; a leading apostrophe keeps spreadsheets from reading a formula. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Rows with errors as a CSV file. */
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
