// A file is sent once and looked at batch by batch, before anything is written.
import { importRecords, type ListPath } from './api'
import { runInBatches } from './batch'
import { type ImportReport, mergeReports } from './importReport'

/** Previews a file; `onReport` gets the report so far. Ends when all of it is seen, or when `isOn` says so. */
export function previewImport(
  path: ListPath,
  chosen: File,
  query: Record<string, string>,
  onReport: (report: ImportReport) => void,
  isOn: () => boolean,
): Promise<void> {
  const file = new FormData()
  file.append('file', chosen, chosen.name)
  let report: ImportReport | undefined
  const ask = (after: number | undefined) =>
    report && after !== undefined
      ? importRecords(path, { query: { ...query, dryRun: 'true', table: report.table, after: String(after) } })
      : importRecords(path, { query: { ...query, dryRun: 'true' }, file })
  const take = (part: ImportReport) => {
    report = mergeReports(report, part)
    onReport(report)
  }
  return runInBatches(ask, take, () => !isOn())
}
