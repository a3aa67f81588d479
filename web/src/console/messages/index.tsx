// Messages to members and guests with their state, cause and attempts; what was given up can be sent again.
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, paged } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey, invalidator, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useForm } from '../../features/forms/useForm'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Chips } from '../../ui/Checkbox'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { MemoField, memoFault } from '../benefits/fields'
import { CommandDialog } from '../crud/CommandDialog'
import { ListTable } from '../crud/ListTable'
import { ledgerHref, recordHref } from '../history/links'
import { SendingPage } from '../sendings/SendingPage'
import { PAGE_SIZE, useListState } from '../useListState'
import { words as t } from './words'

type Message = components['schemas']['MessageView']
type State = Message['state']
type Channel = Message['channel']

const PATH = '/api/console/messages'
const RESEND = `${PATH}/{id}/resend` as const
const RELEASE = `${PATH}/{id}/release` as const
const CALM_MS = 10_000
const invalidateMessages = invalidator([PATH])
const CHANNELS_TO_MANY = ['MAIL', 'SMS'] as const
const STATES = Object.keys(t.states) as State[]
const CHANNELS = Object.keys(t.channels) as Channel[]

const TONES = {
  REQUESTED: 'busy',
  SENDING: 'busy',
  SENT: 'good',
  DELIVERED: 'good',
  DEFERRED: 'busy',
  BOUNCED: 'bad',
  UNCERTAIN: 'bad',
  GIVEN_UP: 'bad',
} as const satisfies Record<State, string>

const isState = (text: string | null): text is State => STATES.some((state) => state === text)

const isChannel = (text: string | null): text is Channel => CHANNELS.some((channel) => channel === text)

const isLookedAtAgain = (state: State): state is keyof typeof t.dues => Object.hasOwn(t.dues, state)

/** Page and name of what a message is about. */
const causeOf = ({ cause, channel }: Message) => {
  if (cause.kind === 'sending') {
    const tab = channel === 'MAIL' ? 'sendings' : 'texts'
    return { to: `/console/messages?tab=${tab}&id=${cause._id}`, label: t.sending }
  }
  if (cause.kind === 'contact' || cause.kind === 'inquiry')
    return { to: recordHref(cause.kind, cause._id)?.page, label: t[cause.kind] }
  const to = ledgerHref({ kind: cause.kind, id: cause._id })
  return { to, label: cause.orderNo ? t.order(cause.orderNo) : t.member }
}

function Cause({ message }: { message: Message }) {
  const { to, label } = causeOf(message)
  return to ? (
    <Link to={to} className="inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink">
      {label}
    </Link>
  ) : (
    label
  )
}

function Fault({ row }: { row: Message }) {
  return (
    <>
      {row.reason && (
        <p className="break-words">
          {t.reasons[row.reason] ?? row.reason}
          {row.code != null && <span className="figures text-ink-3"> ({row.code})</span>}
        </p>
      )}
      {isLookedAtAgain(row.state) && row.dueAt && (
        <p className="text-ink-3 text-xs">
          {t.dues[row.state]} <DateText value={row.dueAt} style="datetime" className="figures" />
        </p>
      )}
      {row.stopsAddress && <p className="text-danger text-xs">{t.stopsAddress}</p>}
    </>
  )
}

export function Component() {
  return (
    <SendingPage channels={CHANNELS_TO_MANY} title={t.title} lead={t.lead} list={t.list}>
      <Messages />
    </SendingPage>
  )
}

function Messages() {
  const client = useQueryClient()
  const [releasing, setReleasing] = useState<Message>()
  const { params, page, shown, set } = useListState()
  const wanted = params.get('state')
  const state = isState(wanted) ? wanted : undefined
  const way = params.get('channel')
  const channel = isChannel(way) ? way : undefined
  const read = useApiQuery(
    PATH,
    { query: { state, channel }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData, refetchInterval: CALM_MS },
  )
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ _id }: Message) => call('POST', RESEND, { path: { id: _id } }),
    onSuccess: () => void toast(t.resent, { tone: 'success' }),
    onError: (thrown) => {
      const refusal = toApiError(thrown)
      if (!refusal.alerted) void toast(refusal.message, { tone: 'error' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: apiQueryKey(PATH).slice(0, 2) }),
  })
  const [title, text] = state || channel ? t.noMatch : t.none
  const columns = useMemo(
    (): readonly Column<Message>[] => [
      {
        id: 'what',
        header: t.what,
        cell: (row) => (
          <>
            <p className="font-semibold">{row.title}</p>
            <p className="text-ink-3 text-xs">
              {t.channels[row.channel]}
              {row.text && (
                <>
                  {' · '}
                  <Link
                    to={recordHref('message-template', row.text._template)?.page ?? ''}
                    className="underline underline-offset-2 hover:text-ink"
                  >
                    {t.written(row.text.version)}
                  </Link>
                </>
              )}
            </p>
          </>
        ),
      },
      { id: 'about', header: t.about, cell: (row) => <Cause message={row} /> },
      { id: 'state', header: t.state, cell: (row) => <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge> },
      {
        id: 'attempts',
        header: t.attempts,
        align: 'right',
        cell: (row) => <span className="figures">{row.attempts}</span>,
      },
      { id: 'error', header: t.error, cell: (row) => <Fault row={row} /> },
      {
        id: 'when',
        header: t.when,
        cell: (row) => <DateText value={row.createdAt} style="datetime" className="figures text-ink-2" />,
      },
      {
        id: 'act',
        header: t.act,
        align: 'right',
        cell: (row) => (
          <span className="flex flex-wrap justify-end gap-2">
            {row.stopsAddress && (
              <Button size="sm" variant="outline" aria-label={t.releaseOf(row.title)} onClick={() => setReleasing(row)}>
                {t.release}
              </Button>
            )}
            {row.resendable && (
              <Button
                size="sm"
                variant="outline"
                busy={isPending && variables._id === row._id}
                disabled={isPending}
                aria-label={t.resendOf(row.title)}
                onClick={() => mutate(row)}
              >
                {t.resend}
              </Button>
            )}
          </span>
        ),
      },
    ],
    [mutate, isPending, variables],
  )
  return (
    <>
      <Chips
        label={t.filter}
        options={[{ value: '', label: t.all }, ...STATES.map((value) => ({ value, label: t.states[value] }))]}
        value={state ?? ''}
        onValueChange={(to) => set({ state: to || undefined })}
        className="mt-4"
      />
      <Chips
        label={t.channel}
        options={[
          { value: '', label: t.allChannels },
          ...CHANNELS.map((value) => ({ value, label: t.channels[value] })),
        ]}
        value={channel ?? ''}
        onValueChange={(to) => set({ channel: to || undefined })}
        className="mt-2"
      />
      <ListTable<Message>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.messages)}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<MailCheck />} title={title} text={text} />}
      />
      {releasing && <ReleaseDialog message={releasing} onClose={() => setReleasing(undefined)} />}
    </>
  )
}

/** Lifts the stop of mail to an address that bounced. */
function ReleaseDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => call('POST', RELEASE, { path: { id: message._id }, body: { memo: memo.trim() } }),
    onSent: () => {
      void toast(t.released, { tone: 'success' })
      onClose()
      return invalidateMessages(client)
    },
  })
  return (
    <CommandDialog
      title={t.releaseTitle}
      description={t.releaseLead}
      width="sm"
      form={form}
      submit={t.release}
      onClose={onClose}
    >
      <MemoField error={form.errors['memo']} hint="" {...form.text('memo')} />
    </CommandDialog>
  )
}
