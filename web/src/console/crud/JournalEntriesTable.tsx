// 분개: the journal entries of events, debits and credits side by side.
import { Money } from '../../ui/Money'
import { accountLedger, accountTitle } from '../history/links'
import { LedgerLink } from '../ledgers/LedgerLink'
import { ledgerWords } from '../ledgers/words'
import type { HistoryEvent, Story } from '../types'

const t = ledgerWords

type JournalEntriesTableProps = {
  entries: Story['entries']
  /** Titles of the entries' events. */
  events: readonly HistoryEvent[]
}

/** Both sides have the same total. */
export function JournalEntriesTable({ entries, events }: JournalEntriesTableProps) {
  const titles = new Map(events.map((event) => [event.position, event.title]))
  const rows = entries.map((entry, place) => ({ ...entry, key: `${entry.position}.${place}` }))
  const sum = (side: 1 | -1) => entries.reduce((total, { amount }) => total + Math.max(0, side * amount), 0)
  return (
    <section>
      <h3 id="entries" className="mb-2 font-semibold text-sm">
        {t.entries}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content has to be reachable by keyboard */}
      <div className="overflow-x-auto" tabIndex={0}>
        <table aria-labelledby="entries" className="w-full text-sm [overflow-wrap:break-word] max-sm:text-xs">
          <thead>
            <tr className="border-line border-b text-left text-ink-2">
              <th className="py-1.5 pr-2 sm:pr-3 font-normal">{t.event}</th>
              <th className="py-1.5 pr-2 sm:pr-3 font-normal">{t.account}</th>
              <th className="py-1.5 pr-2 sm:pr-3 text-right font-normal">{t.debit}</th>
              <th className="py-1.5 text-right font-normal">{t.credit}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, position, account, amount }) => (
              <tr key={key} className="border-line border-b">
                <td className="py-1.5 pr-2 sm:pr-3">{titles.get(position) ?? position}</td>
                <td className="py-1.5 pr-2 sm:pr-3">
                  <LedgerLink stream={accountLedger(account)}>
                    <span title={account}>{accountTitle(account)}</span>
                  </LedgerLink>
                </td>
                <td className="py-1.5 pr-2 sm:pr-3 text-right">{amount > 0 && <Money amount={amount} />}</td>
                <td className="py-1.5 text-right">{amount < 0 && <Money amount={-amount} />}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="font-semibold">
              <th scope="row" colSpan={2} className="py-1.5 text-left">
                {t.sum}
              </th>
              <td className="py-1.5 pr-2 sm:pr-3 text-right">
                <Money amount={sum(1)} />
              </td>
              <td className="py-1.5 text-right">
                <Money amount={sum(-1)} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}
