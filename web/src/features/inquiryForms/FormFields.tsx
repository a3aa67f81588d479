// The fields of a form that staff put together.
import type { ChangeEvent } from 'react'
import { formatPhone } from '../../lib/phone'
import { Checkbox } from '../../ui/Checkbox'
import { Field, Fieldset } from '../../ui/Field'
import { Input, PhoneInput, Select, Textarea } from '../../ui/Input'
import { Attachments } from '../attachments/Attachments'
import type { FormErrors } from '../forms/useForm'
import { type Answer, type Answers, type FormField, filesOf, idOf, maxLengthOf, optionsOf, pathOf } from './answers'

type OneProps = {
  field: FormField
  answer: Answer | undefined
  error: string | undefined
  /** A new answer, or what to make of the one at that time. */
  put: (answer: Answer | ((now: Answer | undefined) => Answer)) => void
  onUploading: (change: 1 | -1) => void
}

function Files({ field, answer, error, put, onUploading }: OneProps) {
  return (
    <Fieldset legend={field.name} required={field.required} error={error}>
      {field.desc && <p className="mb-2 text-ink-3 text-sm">{field.desc}</p>}
      <Attachments
        files={filesOf(answer)}
        addLabel={`${field.name} 추가`}
        onChange={(change) => put((now) => change(filesOf(now)))}
        onUploading={onUploading}
      />
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
  /** Applied to the answers at that time: others may have been typed during an upload. */
  onChange: (change: (answers: Answers) => Answers) => void
  onUploading: (change: 1 | -1) => void
}

export function FormFields({ fields, answers, errors, onChange, onUploading }: FormFieldsProps) {
  return fields.map((field) => (
    <One
      key={idOf(field)}
      field={field}
      answer={answers[idOf(field)]}
      error={errors[pathOf(field)]}
      put={(answer) =>
        onChange((now) => ({
          ...now,
          [idOf(field)]: typeof answer === 'function' ? answer(now[idOf(field)]) : answer,
        }))
      }
      onUploading={onUploading}
    />
  ))
}
