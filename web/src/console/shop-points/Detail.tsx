// One bulk grant: how far it is, who received it, what is left of it; staff note on it and stop it.
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { useTitle } from '../../lib/pageContext'
import { Button } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { Money } from '../../ui/Money'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { lastDayOf, MemberName, MemoField, memoFault } from '../benefits/fields'
import type { RefusedMember } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog, CommandForm } from '../crud/CommandDialog'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import {
  type AnyGrant,
  BULK_GRANT,
  COUPON_GRANT,
  canStop,
  type GrantKind,
  invalidateBulkGrants,
  isGoing,
  noteGrant,
  pollWhile,
  REFUSED,
  stopGrant,
} from './api'
import { GrantProgress } from './cells'
import { bulkWords as t } from './words'

const NOTE_MOST = 1000

export function Detail({ kind, id }: { kind: GrantKind; id: string }) {
  return kind === 'points' ? <PointsDetail id={id} /> : <CouponsDetail id={id} />
}

function PointsDetail({ id }: { id: string }) {
  const read = useApiQuery(
    BULK_GRANT,
    { path: { id } },
    { refetchInterval: ({ state }) => pollWhile(state.data ? isGoing(state.data.point) : false) },
  )
  const grant = read.data?.point
  return (
    <DetailPage kind="points" grant={grant} error={read.error} onRetry={() => void read.refetch()}>
      {grant && (
        <GrantCard
          kind="points"
          grant={grant}
          stops={canStop(grant)}
          facts={[
            { name: t.lastDay, value: <DateText value={lastDayOf(grant.expiresAt)} className="figures" /> },
            { name: t.columns.each, value: <Money amount={grant.amounts} /> },
            { name: t.columns.total, value: <Money amount={grant.amount_total} /> },
            { name: t.columns.used, value: <Money amount={grant.amount_used} /> },
            { name: t.columns.left, value: <Money amount={grant.amount_left} />, strong: true },
          ]}
          receivers={{ to: `/console/user-points?_grant=${grant._id}`, label: t.receivers }}
        />
      )}
    </DetailPage>
  )
}

function CouponsDetail({ id }: { id: string }) {
  const read = useApiQuery(
    COUPON_GRANT,
    { path: { id } },
    { refetchInterval: ({ state }) => pollWhile(state.data ? isGoing(state.data.grant) : false) },
  )
  const grant = read.data?.grant
  return (
    <DetailPage kind="coupons" grant={grant} error={read.error} onRetry={() => void read.refetch()}>
      {grant && (
        <GrantCard
          kind="coupons"
          grant={grant}
          stops={canStop(grant)}
          facts={[
            {
              name: t.columns.coupon,
              value: (
                <Link to={`/console/shop/coupons?id=${grant._coupon}`} className="underline underline-offset-4">
                  {grant.couponName}
                </Link>
              ),
            },
            { name: t.columns.issued, value: t.sheets(grant.issued) },
            { name: t.columns.usedCoupons, value: t.sheets(grant.used) },
            { name: t.columns.taken, value: t.sheets(grant.taken) },
            { name: t.columns.discount, value: <Money amount={grant.discount} />, strong: true },
          ]}
          receivers={{ to: `/console/user-coupons?_grant=${grant._id}`, label: t.couponReceivers }}
        />
      )}
    </DetailPage>
  )
}

type DetailPageProps = {
  kind: GrantKind
  grant: AnyGrant | undefined
  error: unknown
  onRetry: () => void
  children: ReactNode
}

function DetailPage({ kind, grant, error, onRetry, children }: DetailPageProps) {
  useTitle(grant?.memo ?? t.detail)
  return (
    <main id="content" className="mx-auto max-w-3xl">
      <p className="text-sm">
        <Link
          to={`/console/shop/points${kind === 'coupons' ? '?tab=coupons' : ''}`}
          className="tap text-ink-2 underline-offset-4 hover:underline"
        >
          ‹ {t.back}
        </Link>
      </p>
      <h1 className="wrap-anywhere mt-1 font-bold text-2xl">{grant?.memo ?? t.detail}</h1>
      {error && !grant ? (
        <LoadError error={error} onRetry={onRetry} />
      ) : !grant ? (
        <Loading className="mt-5">
          <Skeleton className="h-72" />
        </Loading>
      ) : (
        children
      )}
    </main>
  )
}

type GrantCardProps = {
  kind: GrantKind
  grant: AnyGrant
  stops: boolean
  facts: ComponentProps<typeof Facts>['rows']
  receivers: { to: string; label: string }
}

function GrantCard({ kind, grant, stops, facts, receivers }: GrantCardProps) {
  const [stopping, setStopping] = useState(false)
  return (
    <div className="mt-5 grid gap-5">
      <Card
        title={t.detail}
        headerAction={
          stops && (
            <Button size="sm" variant="danger" onClick={() => setStopping(true)}>
              {t.stop}
            </Button>
          )
        }
      >
        <GrantProgress grant={grant} />
        <Facts
          className="mt-5"
          rows={[
            { name: t.createdAt, value: <DateText value={grant.createdAt} style="datetime" className="figures" /> },
            ...(grant.createdBy?.name ? [{ name: t.createdBy, value: grant.createdBy.name }] : []),
            ...facts,
          ]}
        />
        <p className="mt-4 text-sm">
          <Link to={receivers.to} className="underline underline-offset-4 hover:text-accent">
            {receivers.label}
          </Link>
        </p>
      </Card>
      {grant.leftOut + (grant.refused ?? 0) > 0 && <Without id={grant._id} />}
      <Note kind={kind} grant={grant} />
      {stopping && <StopDialog kind={kind} grant={grant} onClose={() => setStopping(false)} />}
    </div>
  )
}

const withoutColumns: readonly Column<RefusedMember>[] = [
  { id: 'member', header: t.without.member, cell: (row) => <MemberName row={row} /> },
  { id: 'reason', header: t.without.reason, cell: (row) => t.without.reasons[row.reason] },
]

/** Receivers whose turn came and who got nothing, with the reason of each. */
function Without({ id }: { id: string }) {
  const { page, shown } = useListState()
  const read = useApiQuery(
    REFUSED,
    { path: { id }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  return (
    <Card title={t.without.title}>
      <ListTable<RefusedMember>
        caption={t.without.title}
        columns={withoutColumns}
        {...shown(read, (answer) => answer.refused)}
        rowId={(row) => row._user}
        empty={null}
      />
    </Card>
  )
}

type OfGrant = { kind: GrantKind; grant: AnyGrant }

function Note({ kind, grant }: OfGrant) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: grant.note },
    check: ({ memo }) => ({ memo: [...memo].length > NOTE_MOST ? benefitWords.memoTooLong(NOTE_MOST) : undefined }),
    send: ({ memo }) => noteGrant(kind, grant._id, memo.trim()),
    onSent: () => {
      form.reset(form.values)
      void toast(t.noteSaved, { tone: 'success' })
      return invalidateBulkGrants(client)
    },
  })
  return (
    <Card title={t.note}>
      <CommandForm form={form}>
        <Field label={t.note} hideLabel hint={t.noteHint} error={form.errors.memo}>
          <Textarea rows={2} autoComplete="off" {...form.text('memo')} />
        </Field>
        <Button
          type="submit"
          variant="outline"
          className="justify-self-end"
          busy={form.isPending}
          disabled={!form.isDirty}
        >
          {ko.action.save}
        </Button>
      </CommandForm>
    </Card>
  )
}

function StopDialog({ kind, grant, onClose }: OfGrant & { onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => stopGrant(kind, grant._id, memo.trim()),
    onSent: () => {
      void toast(t.stopped, { tone: 'success' })
      onClose()
      return invalidateBulkGrants(client)
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
      <MemoField error={form.errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}
