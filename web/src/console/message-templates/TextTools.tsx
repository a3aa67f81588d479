// What helps to write the text of a message: its variables, the built-in text, a preview with sample values, a test message to oneself, and
// for phones its length.
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { Button } from '../../ui/Button'
import { FormError } from '../../ui/FormError'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import type { EditProps } from '../crud/resourceDefinition'
import { LMS_MOST, SMS_MOST, smsBytes } from './smsBytes'
import { words as t } from './words'

const TEXTS = '/api/console/message-texts'

type MessageText = components['schemas']['MessageText']
type Variable = MessageText['variables'][number]
type Trial = components['schemas']['TrialForm']

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The content with a variable at its end: one that stands for lines or an address begins a line of its own. */
function withVariable(content: string, { name, kind, label }: Variable): string {
  const inserted = `{{${name}}}`
  if (kind === 'TEXT') return content + inserted
  const before = content === '' || content.endsWith('\n') ? content : `${content}\n`
  return `${before}${kind === 'LINK' ? `${label} ` : ''}${inserted}`
}

/** The text as a phone would get it with sample values; lines of variables without a sample stay. */
function smsText(text: MessageText, subject: string, content: string): string {
  const filled = (line: string) =>
    text.variables.reduce((before, { name, sample }) => before.replaceAll(`{{${name}}}`, sample), line)
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  return [`[장부상회] ${subject}`, ...lines].map((line) => filled(line.trim())).join('\n')
}

function Size({ text }: { text: string }) {
  const bytes = smsBytes(text)
  const isShort = bytes <= SMS_MOST
  return (
    <p className="text-ink-2 text-sm">
      <output className="figures block font-semibold">
        {t.size(isShort ? 'SMS' : 'LMS', bytes, isShort ? SMS_MOST : LMS_MOST)}
      </output>
      <span className="text-ink-3 text-xs">{t.sizeNote}</span>
    </p>
  )
}

export default function TextTools({ draft, setValue, readOnly }: EditProps) {
  const { data, error, refetch } = useApiQuery(TEXTS)
  const preview = useMutation({ mutationFn: (body: Trial) => call('POST', `${TEXTS}/preview`, { body }) })
  const test = useMutation({
    mutationFn: (body: Trial) => call('POST', `${TEXTS}/test`, { body }),
    onSuccess: (_, { template }) => void toast(template.endsWith('_SMS') ? t.testedSms : t.tested, { tone: 'success' }),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-24" />
      </Loading>
    )
  const chosen = data.texts.find((one) => one.template === draft['template'])
  if (!chosen) return <p className="text-ink-3 text-sm">{t.chooseFirst}</p>
  const subject = textOf(draft['subject'])
  const content = textOf(draft['content'])
  const trial = { template: chosen.template, subject, content }
  const fault = preview.error ?? test.error
  return (
    <div className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold text-sm">{t.variables}</legend>
        <ul className="flex flex-wrap gap-2">
          {chosen.variables.map((variable) => (
            <li key={variable.name}>
              <Button
                size="sm"
                variant="outline"
                disabled={readOnly}
                aria-label={t.insert(variable.label)}
                onClick={() => setValue('content', withVariable(content, variable))}
              >
                {variable.label}
                {variable.required && <span className="text-danger">{t.required}</span>}
                <code className="text-ink-3 text-xs">{`{{${variable.name}}}`}</code>
              </Button>
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          disabled={readOnly}
          onClick={() => {
            setValue('subject', chosen.builtIn.subject)
            setValue('content', chosen.builtIn.content)
          }}
        >
          {t.useBuiltIn}
        </Button>
        <Button
          variant="outline"
          busy={preview.isPending}
          onClick={() => {
            test.reset()
            preview.mutate(trial)
          }}
        >
          {t.preview}
        </Button>
        <Button
          variant="outline"
          busy={test.isPending}
          onClick={() => {
            preview.reset()
            test.mutate(trial)
          }}
        >
          {chosen.isSms ? t.testSms : t.test}
        </Button>
      </div>
      {chosen.isSms && <Size text={smsText(chosen, subject, content)} />}
      {fault && <FormError>{toApiError(fault).told}</FormError>}
      {preview.data && (
        <section aria-label={t.previewTitle} className="grid gap-2 rounded-md border border-line p-4">
          <p className="wrap-anywhere font-semibold">{preview.data.subject}</p>
          <p className="wrap-anywhere whitespace-pre-line text-sm">{preview.data.text}</p>
        </section>
      )}
    </div>
  )
}
