// Sendings of a way with their progress; each can be changed, stopped or taken back as far as that is possible.
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { Button } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { MemoField, memoFault } from '../benefits/fields'
import { CommandDialog } from '../crud/CommandDialog'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import {
  type Channel,
  canWithdraw,
  invalidateSendings,
  isGoing,
  POLL_MS,
  reviseSending,
  SENDINGS,
  type Sending,
  stopSending,
  withdrawSending,
} from './api'
import { TextFields, type TextValues, textFaults } from './fields'
import { SendingDetail } from './SendingDetail'
import { SendingProgress } from './SendingProgress'
import { sendingWords as t } from './words'

type Act = 'change' | 'stop' | 'withdraw'
type Acting = { act: Act; sending: Sending }

const actsOf = (sending: Sending): Act[] => [
  ...(isGoing(sending) ? (['change', 'stop'] as const) : []),
  ...(canWithdraw(sending) ? (['withdraw'] as const) : []),
]

const columns = (onAct: (acting: Acting) => void, onOpen: (id: string) => void): readonly Column<Sending>[] => [
  {
    id: 'what',
    header: t.what,
    cell: (row) => (
      <>
        <button
          type="button"
          onClick={() => onOpen(row._id)}
          className="wrap-anywhere text-left font-semibold underline underline-offset-2 hover:text-ink-2"
        >
          {row.markedTitle}
        </button>
        <p className="text-ink-3 text-xs">
          <DateText value={row.createdAt} style="datetime" className="figures" />
          {row.createdBy?.name && ` · ${row.createdBy.name}`}
        </p>
      </>
    ),
  },
  { id: 'to', header: t.to, cell: (row) => t.targetOf(row.target) },
  { id: 'state', header: t.state, cell: (row) => <SendingProgress sending={row} /> },
  {
    id: 'pace',
    header: t.pace_,
    align: 'right',
    cell: (row) => <span className="figures">{t.perMinute(row.perMinute)}</span>,
  },
  {
    id: 'act',
    header: t.act,
    align: 'right',
    cell: (row) => (
      <span className="flex flex-wrap justify-end gap-2">
        {actsOf(row).map((act) => (
          <Button
            key={act}
            size="sm"
            variant={act === 'change' ? 'outline' : 'danger'}
            aria-label={t.actOn(t[act], row.title)}
            onClick={() => onAct({ act, sending: row })}
          >
            {t[act]}
          </Button>
        ))}
      </span>
    ),
  },
]

export function Sendings({ channel }: { channel: Channel }) {
  const { params, page, shown, set } = useListState()
  const opened = params.get('id')
  const [acting, setActing] = useState<Acting>()
  const read = useApiQuery(
    SENDINGS,
    { query: { channel }, headers: paged(page, PAGE_SIZE) },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.sendings.some(isGoing) ?? false) && POLL_MS,
    },
  )
  const close = () => setActing(undefined)
  if (opened) return <SendingDetail id={opened} onClose={() => set({ id: undefined, filter: undefined })} />
  return (
    <>
      <ListTable<Sending>
        caption={t.title[channel]}
        columns={columns(setActing, (id) => set({ id }))}
        {...shown(read, (answer) => answer.sendings)}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<Megaphone />} title={t.none} text={t.noneText} />}
      />
      {acting?.act === 'change' && <ChangeDialog sending={acting.sending} onClose={close} />}
      {acting && acting.act !== 'change' && <EndDialog {...acting} act={acting.act} onClose={close} />}
    </>
  )
}

type EndDialogProps = { act: 'stop' | 'withdraw'; sending: Sending; onClose: () => void }

function EndDialog({ act, sending, onClose }: EndDialogProps) {
  const client = useQueryClient()
  const stops = act === 'stop'
  const form = useForm<{ memo: string }>({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => (stops ? stopSending : withdrawSending)(sending._id, memo.trim()),
    onSent: () => {
      void toast(stops ? t.stopped : t.withdrawn, { tone: 'success' })
      onClose()
      return invalidateSendings(client)
    },
  })
  return (
    <CommandDialog
      title={stops ? t.stopTitle : t.withdrawTitle}
      description={stops ? t.stopLead : t.withdrawLead}
      width="sm"
      form={form}
      submit={t[act]}
      onClose={onClose}
    >
      <MemoField error={form.errors['memo']} hint="" {...form.text('memo')} />
    </CommandDialog>
  )
}

function ChangeDialog({ sending, onClose }: { sending: Sending; onClose: () => void }) {
  const client = useQueryClient()
  const { title, content, url, perMinute } = sending
  const form = useForm<TextValues>({
    initial: { title, content, url, perMinute: String(perMinute) },
    check: textFaults,
    send: (values) => reviseSending(sending._id, { ...values, perMinute: Number(values.perMinute) }),
    onSent: () => {
      void toast(t.changed, { tone: 'success' })
      onClose()
      return invalidateSendings(client)
    },
  })
  return (
    <CommandDialog title={t.changeTitle} form={form} submit={t.change} onClose={onClose}>
      <TextFields errors={form.errors} text={form.text} />
    </CommandDialog>
  )
}
