// One bulk grant: how far it is, who received it, what is left of it; staff note on it and stop it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { useTitle } from '../../lib/pageContext'
import { Button } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { lastDayOf, MemoField, memoFault } from '../benefits/fields'
import type { BulkGrant } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog, CommandForm } from '../crud/CommandDialog'
import { BULK_GRANT, invalidateBulkGrants, isGoing, pollWhile } from './api'
import { GrantProgress } from './cells'
import { bulkWords as t } from './words'

const NOTE_MOST = 1000

export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useApiQuery(
    BULK_GRANT,
    { path: { id } },
    { refetchInterval: ({ state }) => pollWhile(state.data ? isGoing(state.data.point) : false) },
  )
  const grant = data?.point
  useTitle(grant?.memo ?? t.detail)
  return (
    <main id="content" className="mx-auto max-w-3xl">
      <p className="text-sm">
        <Link to="/console/shop/points" className="tap text-ink-2 underline-offset-4 hover:underline">
          ‹ {t.back}
        </Link>
      </p>
      <h1 className="wrap-anywhere mt-1 font-bold text-2xl">{grant?.memo ?? t.detail}</h1>
      {error && !grant ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !grant ? (
        <Loading className="mt-5">
          <Skeleton className="h-72" />
        </Loading>
      ) : (
        <GrantCard grant={grant} />
      )}
    </main>
  )
}

function GrantCard({ grant }: { grant: BulkGrant }) {
  const [stopping, setStopping] = useState(false)
  const canStop = !grant.flags.stopped && (isGoing(grant) || grant.amount_left > 0)
  return (
    <div className="mt-5 grid gap-5">
      <Card
        title={t.detail}
        headerAction={
          canStop && (
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
            { name: t.lastDay, value: <DateText value={lastDayOf(grant.expiresAt)} className="figures" /> },
            { name: t.columns.each, value: <Money amount={grant.amounts} /> },
            { name: t.columns.total, value: <Money amount={grant.amount_total} /> },
            { name: t.columns.used, value: <Money amount={grant.amount_used} /> },
            { name: t.columns.left, value: <Money amount={grant.amount_left} />, strong: true },
          ]}
        />
        <p className="mt-4 text-sm">
          <Link
            to={`/console/user-points?_grant=${grant._id}`}
            className="underline underline-offset-4 hover:text-accent"
          >
            {t.receivers}
          </Link>
        </p>
      </Card>
      <Note grant={grant} />
      {stopping && <StopDialog grant={grant} onClose={() => setStopping(false)} />}
    </div>
  )
}

function Note({ grant }: { grant: BulkGrant }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: grant.note },
    check: ({ memo }) => ({ memo: [...memo].length > NOTE_MOST ? benefitWords.memoTooLong(NOTE_MOST) : undefined }),
    send: ({ memo }) => call('PUT', BULK_GRANT, { path: { id: grant._id }, body: { memo: memo.trim() } }),
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

function StopDialog({ grant, onClose }: { grant: BulkGrant; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => call('DELETE', BULK_GRANT, { path: { id: grant._id }, query: { memo: memo.trim() } }),
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
