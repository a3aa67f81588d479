// The main values of a ledger's event: quantity, amount, order, level.
import { isDocument } from '../crud/formState'
import type { HistoryEvent, Ledger } from '../types'
import { ledgerFormatter } from './ledgerStateFormat'
import { ledgerWords } from './words'

const NONE: Readonly<Record<string, string>> = {}

/** The content of an event, whose shape depends on its type. */
const contentOf = ({ data }: HistoryEvent): Record<string, unknown> => {
  const content = isDocument(data) ? Object.values(data)[0] : undefined
  return isDocument(content) ? content : {}
}

const sumOf = (parts: unknown): number | undefined =>
  Array.isArray(parts) ? parts.reduce((sum: number, part) => sum + Number(part.amount ?? 0), 0) : undefined

export function EventFacts({ subject, event }: { subject: Ledger; event: HistoryEvent }) {
  const labels = ledgerWords.eventParts[subject] ?? NONE
  const content = contentOf(event)
  // Points are spent and restored by lots.
  const said: Record<string, unknown> = { amount: sumOf(content.parts), membershipLevel: content.code, ...content }
  const says = ledgerFormatter(subject, said)
  const facts = Object.entries(labels).flatMap(([name, label]) => {
    const values = [said[name] ?? []].flat()
    return values.length > 0 ? [{ name, label, values }] : []
  })
  if (facts.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4">
      {facts.map(({ name, label, values }) => (
        <li key={name}>
          {label}:{' '}
          {values.map((value, i) => (
            <span key={String(value)} className="font-semibold text-ink">
              {i > 0 && ', '}
              {says.value(value, name)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
