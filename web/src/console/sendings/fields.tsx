// What staff write to many members, and how fast it goes.
import type { Form } from '../../features/forms/useForm'
import { Field } from '../../ui/Field'
import { Input, Textarea } from '../../ui/Input'
import { sendingWords as t } from './words'

export type TextValues = { title: string; content: string; url: string; perMinute: string }

const length = (text: string) => [...text.trim()].length
const between = (text: string, most: number) => length(text) >= 2 && length(text) <= most && !/[<>]/.test(text)

export const textFaults = ({ title, content, url, perMinute }: TextValues) => ({
  title: between(title, 60) ? undefined : t.nameInvalid,
  content: between(content, 1000) ? undefined : t.contentInvalid,
  url: url === '' || /^\/(?!\/)[^\\\s<>"]*$/.test(url) ? undefined : t.urlInvalid,
  perMinute: /^\d+$/.test(perMinute) && Number(perMinute) >= 1 && Number(perMinute) <= 6000 ? undefined : t.paceInvalid,
})

type TextFieldsProps = Pick<Form<TextValues>, 'errors' | 'text'>

export const TextFields = ({ errors, text }: TextFieldsProps) => (
  <>
    <Field label={t.name} error={errors['title']} required>
      <Input autoComplete="off" maxLength={60} {...text('title')} />
    </Field>
    <Field label={t.content} hint={t.contentHint} error={errors['content']} required>
      <Textarea rows={5} autoComplete="off" {...text('content')} />
    </Field>
    <Field label={t.url} hint={t.urlHint} error={errors['url']}>
      <Input autoComplete="off" inputMode="url" {...text('url')} />
    </Field>
    <Field label={t.pace} error={errors['perMinute']} required>
      <Input autoComplete="off" inputMode="numeric" {...text('perMinute')} />
    </Field>
  </>
)
