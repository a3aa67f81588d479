// Alarms (spec R226): those of all members with receiver, state and cause, and those sent to many with their progress.
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { call, paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useForm } from '../../features/forms/useForm'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { MemoField, memoFault } from '../benefits/fields'
import { CommandDialog } from '../crud/CommandDialog'
import { ListTable } from '../crud/ListTable'
import { SearchForm } from '../crud/SearchForm'
import { ledgerHref } from '../history/links'
import { LedgerLink } from '../ledgers/LedgerLink'
import { invalidateSendings } from '../sendings/api'
import { SendingPage } from '../sendings/SendingPage'
import { PAGE_SIZE, useListState } from '../useListState'
import { words as t } from './words'

type Alarm = components['schemas']['MemberAlarm']
type State = Alarm['state']
type Category = Alarm['category']

const PATH = '/api/console/users/alarms'
const ALARM = `${PATH}/{id}` as const
const TONES = { UNREAD: 'busy', READ: 'good', DELETED: 'bad', WITHDRAWN: 'bad' } as const satisfies Record<
  State,
  string
>
const STATES = Object.keys(t.states) as State[]
const CATEGORIES = Object.keys(t.categories) as Category[]

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((one) => one === text)

function Cause({ cause }: { cause: Alarm['cause'] }) {
  if (!cause) return '-'
  const label = t.causes[cause.kind] ?? cause.kind
  const to = cause.kind === 'sending' ? `/console/alarms?tab=sendings` : ledgerHref({ kind: cause.kind, id: cause._id })
  return to ? (
    <Link to={to} className="underline underline-offset-2 hover:text-ink">
      {label}
    </Link>
  ) : (
    label
  )
}

const columns = (onWithdraw: (alarm: Alarm) => void): readonly Column<Alarm>[] => [
  {
    id: 'receiver',
    header: t.receiver,
    cell: (row) => (
      <>
        <span className="font-semibold">
          <LedgerLink stream={{ kind: 'member', id: row._user }}>{row.nickname}</LedgerLink>
        </span>
        {row.username && <span className="block text-ink-3 text-xs">{row.username}</span>}
      </>
    ),
  },
  {
    id: 'what',
    header: t.what,
    cell: (row) => (
      <>
        <p className="wrap-anywhere font-semibold">{row.title || t.deleted}</p>
        <p className="wrap-anywhere line-clamp-2 text-ink-2 text-sm">{row.content}</p>
      </>
    ),
  },
  { id: 'category', header: t.category, cell: (row) => row.name },
  { id: 'state', header: t.state, cell: (row) => <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge> },
  { id: 'about', header: t.about, cell: (row) => <Cause cause={row.cause} /> },
  {
    id: 'when',
    header: t.when,
    cell: (row) => <DateText value={row.createdAt} style="datetime" className="figures text-ink-2" />,
  },
  {
    id: 'act',
    header: t.act,
    align: 'right',
    cell: (row) =>
      (row.state === 'UNREAD' || row.state === 'READ') && (
        <Button size="sm" variant="outline" aria-label={t.withdrawOf(row.title)} onClick={() => onWithdraw(row)}>
          {t.withdraw}
        </Button>
      ),
  },
]

export function Component() {
  return (
    <SendingPage channels={['ALARM']} title={t.title} lead={t.lead} list={t.list}>
      <MemberAlarms />
    </SendingPage>
  )
}

function MemberAlarms() {
  const { params, page, set, shown, search } = useListState()
  const [withdrawing, setWithdrawing] = useState<Alarm>()
  const state = oneOf(STATES, params.get('state'))
  const category = oneOf(CATEGORIES, params.get('category'))
  const username = params.get('username') ?? ''
  const about = params.get('about') ?? undefined
  const read = useApiQuery(
    PATH,
    {
      query: {
        ...(state && { state }),
        ...(category && { category }),
        ...(username && { username }),
        ...(about && { about }),
        ...(search && { searchValue: search }),
      },
      headers: paged(page, PAGE_SIZE),
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <>
      <SearchForm onSearch={set} className="mt-4 grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
        <Field label={t.username} className="sm:w-40">
          <Input key={username} name="username" defaultValue={username} autoComplete="off" autoCapitalize="none" />
        </Field>
        <Field label={t.text} className="sm:w-48">
          <Input key={search} name="q" defaultValue={search} autoComplete="off" />
        </Field>
        <Field label={t.category} className="sm:w-36">
          <Select
            value={category ?? ''}
            onChange={(event) => set({ category: event.target.value })}
            options={[
              { value: '', label: t.all },
              ...CATEGORIES.map((value) => ({ value, label: t.categories[value] })),
            ]}
          />
        </Field>
        <Field label={t.state} className="sm:w-32">
          <Select
            value={state ?? ''}
            onChange={(event) => set({ state: event.target.value })}
            options={[{ value: '', label: t.all }, ...STATES.map((value) => ({ value, label: t.states[value] }))]}
          />
        </Field>
        <Button type="submit" variant="outline">
          {t.search}
        </Button>
      </SearchForm>
      <ListTable<Alarm>
        caption={t.list}
        columns={columns(setWithdrawing)}
        {...shown(read, (answer) => answer.alarms)}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<BellRing />} title={t.none} text={t.noneText} />}
      />
      {withdrawing && <WithdrawDialog alarm={withdrawing} onClose={() => setWithdrawing(undefined)} />}
    </>
  )
}

function WithdrawDialog({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => call('DELETE', ALARM, { path: { id: alarm._id }, query: { memo: memo.trim() } }),
    onSent: () => {
      void toast(t.withdrawn, { tone: 'success' })
      onClose()
      return invalidateSendings(client)
    },
  })
  return (
    <CommandDialog
      title={t.withdrawTitle}
      description={t.withdrawLead}
      width="sm"
      form={form}
      submit={t.withdraw}
      onClose={onClose}
    >
      <MemoField error={form.errors['memo']} hint="" {...form.text('memo')} />
    </CommandDialog>
  )
}
