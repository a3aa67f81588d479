// A table of figures: row titles, and a column for each figure.
import type { ReactNode } from 'react'

type NumbersTableProps = {
  /** Caption for screen readers. */
  caption: string
  /** Titles of the rows. */
  of: string
  columns: readonly string[]
  /** With an `id` where names may be the same. */
  rows: readonly { id?: string; name: ReactNode; figures: readonly ReactNode[] }[]
}

export const NumbersTable = ({ caption, of, columns, rows }: NumbersTableProps) => (
  <table className="figures w-full border-collapse text-sm">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-line border-b text-ink-2">
        <th scope="col" className="py-2 pr-3 text-left font-semibold">
          {of}
        </th>
        {columns.map((name) => (
          <th key={name} scope="col" className="py-2 pl-3 text-right font-semibold">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ id, name, figures }) => (
        <tr key={id ?? String(name)} className="border-line border-b last:border-0">
          <th scope="row" className="py-2 pr-3 text-left font-medium">
            {name}
          </th>
          {figures.map((figure, i) => (
            <td key={columns[i]} className="py-2 pl-3 text-right">
              {figure}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
