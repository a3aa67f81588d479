// One batch of codes: who redeemed which; as a file, on paper, and stopped.
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call, paged } from '../../api/client'
import { download } from '../../api/download'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { lastMoment } from '../../lib/date'
import { saveFile } from '../../lib/files'
import { useTitle } from '../../lib/pageContext'
import { Badge } from '../../ui/Badge'
import { Button, ButtonLink } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { Checkbox } from '../../ui/Checkbox'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { missing, optional } from '../../ui/Optional'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { memoFault } from '../benefits/fields'
import { benefitWords } from '../benefits/words'
import { CommandDialog } from '../crud/CommandDialog'
import { ListTable } from '../crud/ListTable'
import { crudWords } from '../crud/words'
import { LedgerLink } from '../ledgers/LedgerLink'
import { PAGE_SIZE, useListState } from '../useListState'
import { words } from '../words'
import {
  batchPath,
  CODE_BATCH,
  CODE_FILE,
  CODE_STREAM,
  CODES,
  type CodeBatch,
  type CodeOfBatch,
  type CodeTerms,
  invalidateCodes,
} from './api'
import { codeWords as t } from './words'

/** It brings its own styles along. */
const Print = optional(() => import('./Print'), { instead: missing })

const columns: readonly Column<CodeOfBatch>[] = [
  { id: 'number', header: t.code.number, cell: (row) => <span className="figures">{row.number}</span> },
  { id: 'code', header: t.code.code, cell: (row) => <span className="figures font-semibold">{row.code}</span> },
  {
    id: 'redeemedAt',
    header: t.code.redeemedAt,
    cell: (row) => row.redeemedAt && <DateText value={row.redeemedAt} style="datetime" className="figures" />,
  },
  {
    id: 'redeemedBy',
    header: t.code.redeemedBy,
    cell: (row) =>
      row.redeemedBy && (
        <Link to={`/console/users/${row.redeemedBy._id}`} className="underline underline-offset-2 hover:text-ink">
          {row.redeemedBy.name ?? words.forgotten}
        </Link>
      ),
  },
  { id: 'used', header: t.code.used, cell: (row) => row.used && <Badge tone="good">{t.isUsed}</Badge> },
]

export function Detail({ id }: { id: string }) {
  const { params } = useListState()
  const read = useApiQuery(CODE_BATCH, { path: { id } })
  const batch = read.data?.batch
  useTitle(batch?.memo ?? t.detail)
  const isPrint = params.get('print') === '1'
  return (
    <main id="content" className="mx-auto max-w-4xl">
      <p className="text-sm">
        <Link
          to={isPrint ? batchPath(id) : '/console/shop/coupon-codes'}
          className="tap text-ink-2 underline-offset-4 hover:underline"
        >
          ‹ {t.back}
        </Link>
      </p>
      <h1 className="wrap-anywhere mt-1 font-bold text-2xl">{isPrint ? t.printTitle : (batch?.memo ?? t.detail)}</h1>
      {read.error && !batch ? (
        <LoadError error={read.error} onRetry={() => void read.refetch()} />
      ) : !read.data ? (
        <Loading className="mt-5">
          <Skeleton className="h-72" />
        </Loading>
      ) : isPrint ? (
        <Print batch={read.data.batch} />
      ) : (
        <Batch {...read.data} />
      )}
    </main>
  )
}

const dayOf = (end: string | null | undefined): ReactNode =>
  end ? <DateText value={lastMoment(end)} className="figures" /> : t.noLimit

function Batch({ batch, terms }: { batch: CodeBatch; terms: CodeTerms }) {
  const [stopping, setStopping] = useState(false)
  const facts = [
    {
      name: t.coupon,
      value: (
        <Link to={`/console/shop/coupons?id=${batch._coupon}`} className="underline underline-offset-4">
          {batch.couponName}
        </Link>
      ),
    },
    { name: t.sentence, value: terms.sentence },
    { name: t.redeemBefore, value: dayOf(terms.redeemBefore) },
    { name: t.endsAt, value: dayOf(terms.endsAt) },
    { name: t.columns.handle, value: <span className="figures">{batch.handle}</span> },
    { name: t.createdAt, value: <DateText value={batch.createdAt} style="datetime" className="figures" /> },
    ...(batch.createdBy?.name ? [{ name: t.createdBy, value: batch.createdBy.name }] : []),
    ...(batch.stoppedAt
      ? [
          { name: t.stoppedAt, value: <DateText value={batch.stoppedAt} style="datetime" className="figures" /> },
          { name: t.stopMemo, value: batch.stopMemo },
        ]
      : []),
    { name: t.columns.count, value: t.pieces(batch.count) },
    { name: t.columns.redeemed, value: t.pieces(batch.redeemed), strong: true },
    { name: t.columns.used, value: t.pieces(batch.used) },
  ]
  return (
    <div className="mt-5 grid gap-5">
      <Card
        title={t.detail}
        headerAction={
          !batch.stoppedAt && (
            <Button size="sm" variant="danger" onClick={() => setStopping(true)}>
              {t.stop}
            </Button>
          )
        }
      >
        <Facts rows={facts} />
        <Take batch={batch} />
      </Card>
      <Codes batch={batch} />
      {stopping && <StopDialog batch={batch} onClose={() => setStopping(false)} />}
    </div>
  )
}

/** The codes as a file and on paper. */
function Take({ batch }: { batch: CodeBatch }) {
  const [busy, setBusy] = useState<'xlsx' | 'csv'>()
  const save = async (format: 'xlsx' | 'csv') => {
    setBusy(format)
    try {
      const { blob, name } = await download(CODE_FILE, { path: { id: batch._id }, query: { format } })
      saveFile(blob, name)
      void toast(crudWords.exported(name), { tone: 'success' })
    } catch (thrown) {
      void toast(toApiError(thrown).message, { tone: 'error' })
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button key={format} size="sm" variant="outline" busy={busy === format} onClick={() => void save(format)}>
          <Download aria-hidden />
          {t.file[format]}
        </Button>
      ))}
      {!batch.stoppedAt && (
        <ButtonLink size="sm" variant="outline" to={`${batchPath(batch._id)}&print=1`}>
          {t.print}
        </ButtonLink>
      )}
      <p className="basis-full text-ink-3 text-sm">
        {t.disclosed} <LedgerLink stream={{ kind: CODE_STREAM, id: batch._id }}>{t.history}</LedgerLink>
      </p>
    </div>
  )
}

function Codes({ batch }: { batch: CodeBatch }) {
  const { params, set, page, shown } = useListState()
  const redeemed = params.get('redeemed') === '1'
  const read = useApiQuery(
    CODES,
    { path: { id: batch._id }, query: { redeemed }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  return (
    <Card title={t.codes}>
      <Checkbox
        label={t.onlyRedeemed}
        checked={redeemed}
        onChange={(event) => set({ redeemed: event.target.checked ? '1' : undefined })}
      />
      <ListTable<CodeOfBatch>
        caption={t.codes}
        columns={columns}
        {...shown(read, (answer) => answer.codes)}
        rowId={(row) => String(row.number)}
        empty={<EmptyState title={t.noCodes} />}
      />
    </Card>
  )
}

function StopDialog({ batch, onClose }: { batch: CodeBatch; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => call('DELETE', CODE_BATCH, { path: { id: batch._id }, query: { memo: memo.trim() } }),
    onSent: () => {
      void toast(t.stopped, { tone: 'success' })
      onClose()
      return invalidateCodes(client)
    },
  })
  return (
    <CommandDialog
      title={t.stopTitle}
      description={t.stopLead}
      width="sm"
      form={form}
      submit={t.stop}
      onClose={onClose}
    >
      <Field label={benefitWords.memo} required error={form.errors.memo}>
        <Input autoComplete="off" {...form.text('memo')} />
      </Field>
    </CommandDialog>
  )
}
