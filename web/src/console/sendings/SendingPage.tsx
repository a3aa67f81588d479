// A page of a way to members: what each of them got, and as its second tab what was sent to many.
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button'
import { Tabs } from '../../ui/Tabs'
import { useListState } from '../useListState'
import type { Channel } from './api'
import { SendDialog } from './SendDialog'
import { Sendings } from './Sendings'
import { sendingWords } from './words'

const SENDINGS = 'sendings'

type SendingPageProps = {
  channel: Channel
  title: string
  lead: string
  tabs: { list: string; sendings: string }
  /** The content of the first tab. */
  children: ReactNode
}

export function SendingPage({ channel, title, lead, tabs, children }: SendingPageProps) {
  const { params, set } = useListState()
  const [sending, setSending] = useState(false)
  const tab = params.get('tab') === SENDINGS ? SENDINGS : 'list'
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{title}</h1>
        <Button onClick={() => setSending(true)}>
          <Plus aria-hidden />
          {sendingWords.send[channel]}
        </Button>
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{lead}</p>
      <Tabs
        label={title}
        className="mt-4"
        value={tab}
        onValueChange={(to) => set({ tab: to === SENDINGS ? to : undefined })}
        tabs={[
          { value: 'list', label: tabs.list, content: tab === 'list' && children },
          { value: SENDINGS, label: tabs.sendings, content: tab === SENDINGS && <Sendings channel={channel} /> },
        ]}
      />
      {sending && <SendDialog channel={channel} onClose={() => setSending(false)} />}
    </main>
  )
}
