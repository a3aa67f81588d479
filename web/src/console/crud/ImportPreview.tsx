// What a file would do, row by row: the preview of an import, in the dialog and on the page of product uploads.
import type { ApiError } from '../../api/errors'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { ProgressBar } from '../../ui/ProgressBar'
import { formatValue } from './formState'
import { fieldErrorText, type ImportReport, type ImportRow, isComplete, shownOf, validCount } from './importReport'
import { importWords } from './importWords'
import { type Field, fieldOf, type ResourceSchema } from './schema'
import { crudWords } from './words'

const k = importWords

/** Errors of the file as a whole. */
export const Failure = ({ error }: { error: Pick<ApiError, 'message' | 'fields'> }) => (
  <div role="alert" className="mb-3 rounded-md bg-danger-soft px-4 py-3 text-danger">
    {error.fields.length === 0
      ? error.message
      : error.fields.map(({ field, message }) => (
          <p key={field + message}>{field === 'file' ? message : `${field}: ${message}`}</p>
        ))}
  </div>
)

const TONES = { create: 'good', update: 'busy', error: 'bad' } as const

/** Progress of a file of several batches. */
export const ImportProgress = ({ report }: { report: ImportReport }) =>
  isComplete(report) ? null : (
    <ProgressBar
      className="mt-2"
      value={report.summary.rows}
      max={report.total}
      label={k.far(report.summary.rows, report.total)}
    />
  )

type PlanProps = {
  plan: ImportReport
  kind: ResourceSchema
  name: string
  isLooking: boolean
  summary: typeof importWords.summary
}

export function Plan({ plan, kind, name, isLooking, summary }: PlanProps) {
  return (
    <>
      <p role="status" className="font-semibold">
        {name} · {isComplete(plan) ? summary(plan.summary) : k.soFar(plan.summary, plan.total)}
      </p>
      {isLooking && <ImportProgress report={plan} />}
      {plan.summary.errors > 0 && validCount(plan) > 0 && <p className="mt-1 text-ink-2 text-sm">{k.withErrors}</p>}
      {isComplete(plan) && validCount(plan) === 0 && <p className="mt-1 text-ink-2 text-sm">{k.nothing}</p>}
      <Rows rows={plan.rows} all={plan.summary.rows - plan.summary.unchanged} kind={kind} />
    </>
  )
}

/** The first rows of `all`. */
export function Rows({ rows, all, kind }: { rows: readonly ImportRow[]; all: number; kind: ResourceSchema }) {
  const seen = shownOf(rows)
  if (seen.length === 0) return null
  return (
    <>
      {seen.length < all && <p className="mt-1 text-ink-2 text-sm">{k.shown(seen.length)}</p>}
      <Lines rows={seen} kind={kind} />
    </>
  )
}

function Lines({ rows, kind }: { rows: readonly ImportRow[]; kind: ResourceSchema }) {
  return (
    <table className="mt-3 w-full border-collapse text-sm">
      <thead>
        <tr className="border-line border-b text-left text-ink-2">
          {[k.row, crudWords.action, k.name, k.changes].map((title) => (
            <th key={title} scope="col" className="whitespace-nowrap py-2 pr-3 font-semibold">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={`${row.sheet ?? ''}${row.row}`}
            className={cn('border-line border-b align-top last:border-0', row.action === 'error' && 'bg-danger-soft')}
          >
            <td className="figures py-2 pr-3">
              {row.sheet && <span className="block whitespace-nowrap text-ink-3">{row.sheet}</span>}
              {row.row}
            </td>
            <td className="py-2 pr-3">
              <Badge tone={TONES[row.action]}>{k.actions[row.action]}</Badge>
            </td>
            <td className="min-w-20 py-2 pr-3">{row.name ?? '-'}</td>
            <td className="min-w-28 py-2">
              {(row.errors ?? []).length > 0 ? (
                <ul className="text-danger">
                  {row.errors?.map((error) => (
                    <li key={error.field + error.code}>{fieldErrorText(kind, error)}</li>
                  ))}
                </ul>
              ) : (
                <Changes kind={kind} changes={row.changes} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A cell as in the file; for an option, its label. */
const cellText = (field: Field | undefined, text: string): string =>
  field?.type === 'enum' || field?.type === 'html' ? formatValue(field, text) : text

/** The changes of a row: `{ field: { from, to } }`, as cell texts. */
function Changes({ kind, changes }: { kind: ResourceSchema; changes: ImportRow['changes'] }) {
  return (
    <ul>
      {Object.entries(changes ?? {}).map(([name, { from, to }]) => {
        const field = fieldOf(kind, name)
        return (
          <li key={name}>
            <span className="text-ink-3">{field?.label ?? name}:</span>{' '}
            {from && (
              <>
                <s className="text-ink-3">{cellText(field, from)}</s> <span aria-hidden>→</span>{' '}
              </>
            )}
            {cellText(field, to) || '-'}
          </li>
        )
      })}
    </ul>
  )
}
