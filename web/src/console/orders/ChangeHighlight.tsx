// Highlights values that the next event will change, in a view of the past.
import { createContext, type ReactNode, useContext } from 'react'
import { timeTravelWords } from '../history/timeTravelWords'
import type { Change } from './orderDiff'

/** The next changes, by path. */
export type Marks = ReadonlyMap<string, Change>

export const MarksOf = createContext<Marks>(new Map())

/** The value at one of `paths`; highlighted, with its next value, when the next event changes it. */
export function ChangeHighlight({ paths, children }: { paths: readonly string[]; children: ReactNode }) {
  const marks = useContext(MarksOf)
  const changing = paths.flatMap((path) => marks.get(path) ?? [])
  if (changing.length === 0) return children
  const becomes = changing.map((change) => change.to).join(', ')
  return (
    <mark
      title={`${timeTravelWords.changes}: ${becomes}`}
      className="rounded-xs bg-warning-soft text-inherit outline-2 outline-warning outline-offset-2"
    >
      {children}
      <span className="sr-only">
        {' '}
        ({timeTravelWords.changes}: {becomes})
      </span>
    </mark>
  )
}
