// The fields of a form that staff put together.
import { Paperclip, X } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { toApiError } from '../../api/errors'
import { formatPhone } from '../../lib/phone'
import { buttonClass, IconButton } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Field, Fieldset } from '../../ui/Field'
import { Input, PhoneInput, Select, Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'
import type { FormErrors } from '../forms/useForm'
import { MAX_FILES, uploadQuestionFile } from '../questions/api'
import { type Answer, type Answers, type FormField, filesOf, idOf, maxLengthOf, optionsOf, pathOf } from './answers'

type OneProps = {
  field: FormField
  answer: Answer | undefined
  error: string | undefined
  put: (answer: Answer) => void
}

function Files({ field, answer, error, put }: OneProps) {
  const inputId = useId()
  const [uploading, setUploading] = useState(false)
  const files = filesOf(answer)
  const isFull = files.length >= MAX_FILES
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.target.files ?? [])].slice(0, MAX_FILES - files.length)
    event.target.value = ''
    setUploading(true)
    let all = files
    for (const file of chosen) {
      try {
        all = [...all, await uploadQuestionFile(file)]
        put(all)
      } catch (thrown) {
        void toast(toApiError(thrown).told, { tone: 'error' })
      }
    }
    setUploading(false)
  }
  return (
    <Fieldset legend={field.name} required={field.required} error={error}>
      {field.desc && <p className="mb-2 text-ink-3 text-sm">{field.desc}</p>}
      <ul className="grid gap-1">
        {files.map(({ _id, name }) => (
          <li key={_id} className="flex items-center gap-2 rounded-md bg-sunken pl-3">
            <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="min-w-0 flex-1 truncate text-sm">{name || '첨부파일'}</span>
            <IconButton
              label={`${name || '첨부파일'} 삭제`}
              onClick={() => put(files.filter((one) => one._id !== _id))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="mt-2">
        <input
          id={inputId}
          type="file"
          accept="image/jpeg,image/png,image/webp,application/pdf"
          multiple
          disabled={isFull || uploading}
          onChange={choose}
          className="peer sr-only"
        />
        <label
          htmlFor={inputId}
          className={`${buttonClass({ variant: 'outline' })} cursor-pointer peer-focus-visible:outline-2 peer-disabled:pointer-events-none peer-disabled:opacity-40`}
        >
          <Paperclip aria-hidden />
          {uploading ? '올리는 중' : isFull ? `${MAX_FILES}개까지 올릴 수 있습니다` : `${field.name} 추가`}
        </label>
      </div>
    </Fieldset>
  )
}

function Options({ field, answer, error, put }: OneProps) {
  const chosen = optionsOf(answer)
  return (
    <Fieldset legend={field.name} required={field.required} error={error}>
      {field.desc && <p className="mb-2 text-ink-3 text-sm">{field.desc}</p>}
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {(field.options ?? []).map((option) => (
          <Checkbox
            key={option}
            label={option}
            checked={chosen.includes(option)}
            onChange={(event) =>
              put(event.target.checked ? [...chosen, option] : chosen.filter((one) => one !== option))
            }
          />
        ))}
      </div>
    </Fieldset>
  )
}

function Consent({ field, answer, error, put }: OneProps) {
  return (
    <Fieldset legend={field.name} required={field.required} error={error}>
      {field.desc && <p className="mb-2 whitespace-pre-line text-ink-2 text-sm">{field.desc}</p>}
      <Checkbox
        label={`${field.name}에 동의합니다`}
        checked={answer === true}
        onChange={(event) => put(event.target.checked)}
      />
    </Fieldset>
  )
}

function control({ field, answer, put }: OneProps) {
  const value = typeof answer === 'string' ? answer : ''
  const text = {
    value,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      put(event.target.value),
  }
  switch (field.type) {
    case 'LONGTEXT':
      return <Textarea rows={6} maxLength={maxLengthOf(field)} {...text} />
    case 'NUMBER':
      return <Input inputMode="numeric" maxLength={16} {...text} />
    case 'DATE':
      return <Input type="date" max="2999-12-31" {...text} />
    case 'EMAIL':
      return <Input type="email" autoComplete="email" maxLength={100} {...text} />
    case 'PHONE':
      return <PhoneInput value={formatPhone(value)} onValueChange={put} />
    case 'CHOICE':
      return (
        <Select
          placeholder="선택해 주세요"
          options={(field.options ?? []).map((option) => ({ value: option, label: option }))}
          {...text}
        />
      )
    default:
      return <Input maxLength={maxLengthOf(field)} {...text} />
  }
}

function One(props: OneProps) {
  const { field, error } = props
  if (field.type === 'FILE') return <Files {...props} />
  if (field.type === 'CHOICES') return <Options {...props} />
  if (field.type === 'CONSENT') return <Consent {...props} />
  return (
    <Field label={field.name} hint={field.desc || undefined} required={field.required} error={error}>
      {control(props)}
    </Field>
  )
}

type FormFieldsProps = {
  fields: readonly FormField[]
  answers: Answers
  errors: FormErrors
  onChange: (id: string, answer: Answer) => void
}

export function FormFields({ fields, answers, errors, onChange }: FormFieldsProps) {
  return fields.map((field) => (
    <One
      key={idOf(field)}
      field={field}
      answer={answers[idOf(field)]}
      error={errors[pathOf(field)]}
      put={(answer) => onChange(idOf(field), answer)}
    />
  ))
}
