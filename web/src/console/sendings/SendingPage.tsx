// A page of ways to members: what each of them got, and in tabs what was sent to many by each way.
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button'
import { Tabs } from '../../ui/Tabs'
import { useListState } from '../useListState'
import type { Channel } from './api'
import { SendDialog } from './SendDialog'
import { Sendings } from './Sendings'
import { sendingWords } from './words'

/** Tabs by their value in the address. */
const TABS = { ALARM: 'sendings', MAIL: 'sendings', SMS: 'texts' } as const satisfies Record<Channel, string>

type SendingPageProps = {
  channels: readonly Channel[]
  title: string
  lead: string
  /** Name of the first tab. */
  list: string
  /** The content of the first tab. */
  children: ReactNode
}

export function SendingPage({ channels, title, lead, list, children }: SendingPageProps) {
  const { params, set } = useListState()
  const [sending, setSending] = useState<Channel>()
  const opened = channels.find((channel) => TABS[channel] === params.get('tab'))
  const tab = opened ? TABS[opened] : 'list'
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{title}</h1>
        <span className="flex flex-wrap gap-2">
          {channels.map((channel) => (
            <Button key={channel} onClick={() => setSending(channel)}>
              <Plus aria-hidden />
              {sendingWords.send[channel]}
            </Button>
          ))}
        </span>
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{lead}</p>
      <Tabs
        label={title}
        className="mt-4"
        value={tab}
        onValueChange={(to) => set({ tab: to === 'list' ? undefined : to, id: undefined, filter: undefined })}
        tabs={[
          { value: 'list', label: list, content: tab === 'list' && children },
          ...channels.map((channel) => ({
            value: TABS[channel],
            label: sendingWords.tabs[channel],
            content: channel === opened && <Sendings channel={channel} />,
          })),
        ]}
      />
      {sending && <SendDialog channel={sending} onClose={() => setSending(undefined)} />}
    </main>
  )
}
