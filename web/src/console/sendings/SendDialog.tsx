// Sends an alarm, a mail or a text to many members: first it is counted who gets it and shown how it reads, then it is sent.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import type { components } from '../../api/schema.gen'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { Checkbox, RadioGroup } from '../../ui/Checkbox'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Input, Textarea } from '../../ui/Input'
import { Notice } from '../../ui/Notice'
import { toast } from '../../ui/toast'
import { Levels } from '../benefits/Receivers'
import { usernamesOf } from '../benefits/receivers'
import { CommandDialog } from '../crud/CommandDialog'
import { type Channel, countReceivers, invalidateSendings, SENDINGS, type SendingForm } from './api'
import { TextFields, type TextValues, textFaults } from './fields'
import { sendingWords as t } from './words'

type By = keyof typeof t.targets
type Values = TextValues & {
  by: By
  levels: readonly string[]
  usernames: string
  advertising: boolean
  startsAt: string
}
type Preview = components['schemas']['SendingPreviewView']

const START: Values = {
  by: 'all',
  levels: [],
  usernames: '',
  advertising: false,
  title: '',
  content: '',
  url: '',
  perMinute: '600',
  startsAt: '',
}

/** How the receivers are named. */
function targetOf({ by, levels, usernames }: Values): Partial<SendingForm> {
  if (by === 'levels') return { levels: [...levels] }
  if (by === 'usernames') return { usernames: usernamesOf(usernames).usernames }
  if (by === 'all') return { all: true }
  return { userType: by === 'sellers' ? 'COMPANY' : 'PERSON' }
}

const bodyOf = (channel: Channel, values: Values): SendingForm => ({
  ...targetOf(values),
  channel,
  advertising: values.advertising,
  title: values.title.trim(),
  content: values.content.trim(),
  url: values.url.trim(),
  perMinute: Number(values.perMinute),
  // What is typed is the time in Seoul.
  ...(values.startsAt !== '' && { startsAt: `${values.startsAt}:00+09:00` }),
})

export function SendDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const sendOnce = useIdempotentSend()
  /** What was counted, and of which body: another one is counted first. */
  const [counted, setCounted] = useState<{ of: string; preview: Preview }>()
  const form = useForm<Values>({
    initial: START,
    check: (values) => ({
      ...textFaults(values),
      usernames:
        values.by === 'usernames' && usernamesOf(values.usernames).usernames.length === 0
          ? t.usernamesMissing
          : undefined,
      levels: values.by === 'levels' && values.levels.length === 0 ? t.levelsMissing : undefined,
    }),
    send: async (values) => {
      const body = bodyOf(channel, values)
      const of = JSON.stringify(body)
      if (counted?.of !== of) {
        const preview = await countReceivers(body)
        return setCounted(preview && { of, preview })
      }
      await sendOnce(body, (headers) => call('POST', SENDINGS, { body, headers }))
      void toast(t.started, { tone: 'success' })
      void invalidateSendings(client)
      onClose()
    },
  })
  const { values, errors } = form
  const preview = counted?.of === JSON.stringify(bodyOf(channel, values)) ? counted.preview : undefined
  return (
    <CommandDialog
      title={t.send[channel]}
      description={t.lead}
      form={form}
      submit={preview ? t.confirm(preview.receiving) : t.count}
      disabled={preview?.receiving === 0}
      onClose={onClose}
    >
      <RadioGroup
        legend={t.target}
        options={(Object.keys(t.targets) as By[]).map((value) => ({ value, label: t.targets[value] }))}
        value={values.by}
        onValueChange={(by) => form.set({ by })}
      />
      {values.by === 'levels' && (
        <Levels value={values.levels} onValueChange={(levels) => form.set({ levels })} error={errors['levels']} />
      )}
      {values.by === 'usernames' && (
        <Field label={t.usernamesLabel} hint={t.usernamesHint} error={errors['usernames']} required>
          <Textarea rows={3} autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.text('usernames')} />
        </Field>
      )}
      <div>
        <Checkbox
          label={t.advertising}
          checked={values.advertising}
          onChange={() => form.set({ advertising: !values.advertising })}
        />
        <p className="mt-1 text-ink-3 text-sm">{t.advertisingHint}</p>
      </div>
      <TextFields errors={errors} text={form.text} />
      <Field label={t.startsAt} hint={t.startsAtHint} error={errors['startsAt']}>
        <Input type="datetime-local" {...form.text('startsAt')} />
      </Field>
      {preview && (
        <div aria-live="polite">
          <Notice tone={preview.receiving === 0 ? 'warning' : 'info'}>
            <p className="font-semibold">
              {preview.receiving === 0 ? t.nobody : t.reach(preview.members, preview.receiving)}
            </p>
            {preview.skipped.length > 0 && (
              <ul aria-label={t.skipping} className="mt-1 text-sm">
                {preview.skipped.map(({ reason, count }) => (
                  <li key={reason}>
                    {t.reasons[reason]} {t.people(count)}
                  </li>
                ))}
              </ul>
            )}
            <p className="mt-1 text-sm">
              {t.begins} <DateText value={preview.beginsAt} style="datetime" className="figures" />
            </p>
            <figure className="mt-3 rounded-lg border border-line bg-surface p-4">
              <figcaption className="text-ink-3 text-xs">{t.preview}</figcaption>
              {preview.bytes == null && <p className="wrap-anywhere mt-1 font-semibold">{preview.title}</p>}
              <p className="wrap-anywhere mt-1 whitespace-pre-line text-sm">{preview.content}</p>
              {preview.bytes != null && <p className="figures mt-2 text-ink-3 text-xs">{t.bytes(preview.bytes)}</p>}
            </figure>
          </Notice>
        </div>
      )}
    </CommandDialog>
  )
}
