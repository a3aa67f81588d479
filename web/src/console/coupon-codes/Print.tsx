// Codes on sheets of A4, with what they are good for. Those that were redeemed are left out.
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useApiQuery } from '../../api/query'
import { formatDate, lastMoment } from '../../lib/date'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { CODE_SHEET, type CodeBatch, type CodeSheet } from './api'
import './print.css'
import { codeWords as t } from './words'

const ON_A_SHEET = 24
const PRINTED_MOST = 1000

export default function Print({ batch }: { batch: CodeBatch }) {
  const [first, setFirst] = useState('1')
  const from = /^\d+$/.test(first) ? Math.max(1, Number(first)) : 1
  const read = useApiQuery(CODE_SHEET, { path: { id: batch._id }, query: { first: from, count: PRINTED_MOST } })
  return (
    <>
      <p className="mt-2 text-ink-2 text-sm">
        {t.printLead} {batch.count > PRINTED_MOST && t.printMost(PRINTED_MOST)}
      </p>
      {batch.count > PRINTED_MOST && (
        <Field label={t.first} className="mt-4 max-w-40">
          <Input inputMode="numeric" value={first} onChange={(event) => setFirst(event.target.value)} />
        </Field>
      )}
      {read.error ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : !read.data ? (
        <Loading>
          <Skeleton className="mt-5 h-80" />
        </Loading>
      ) : read.data.codes.length === 0 ? (
        <EmptyState title={t.nothing} />
      ) : (
        <Sheets sheet={read.data} />
      )}
    </>
  )
}

function Sheets({ sheet }: { sheet: CodeSheet }) {
  const { codes } = sheet
  const pages = Array.from({ length: Math.ceil(codes.length / ON_A_SHEET) }, (_, page) =>
    codes.slice(page * ON_A_SHEET, (page + 1) * ON_A_SHEET),
  )
  const [firstPage = []] = pages
  return (
    <>
      <Button size="sm" className="mt-4" onClick={() => window.print()}>
        {t.printed(codes.length)}
      </Button>
      <div className="mt-5 max-w-full overflow-x-auto border border-line">
        <Sheet sheet={sheet} codes={firstPage} />
      </div>
      {createPortal(
        <div className="print-codes" aria-hidden>
          {pages.map((codes) => (
            <Sheet key={codes[0]} sheet={sheet} codes={codes} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

function Sheet({ sheet: { couponName, terms }, codes }: { sheet: CodeSheet; codes: readonly string[] }) {
  const ends = [terms.redeemBefore, terms.endsAt].filter((end) => end != null)
  const end = ends.sort((one, other) => Date.parse(one) - Date.parse(other))[0]
  return (
    <section className="print-code-sheet text-xs">
      {codes.map((code) => (
        <div key={code}>
          <p className="truncate font-bold text-sm">{couponName}</p>
          <p className="line-clamp-2">{terms.sentence}</p>
          <p className="figures mt-1 whitespace-nowrap font-bold text-base">{code}</p>
          <p className="mt-1">
            {t.how} {end && t.until(formatDate(lastMoment(end)))}
          </p>
        </div>
      ))}
    </section>
  )
}
