// Answers to the fields of a form: their state while it is filled in, the rules, and what is sent. The server checks the same.
import type { components } from '../../api/schema.gen'
import { digits } from '../../lib/phone'
import { email, phone } from '../../lib/validators'
import type { PrivateFile } from '../attachments/api'
import type { FormErrors } from '../forms/useForm'

export type FormField = components['schemas']['FormField']

/** A text (also of a number), options, files, or a consent. */
export type Answer = string | readonly string[] | readonly PrivateFile[] | boolean
export type Answers = Readonly<Record<string, Answer>>

export const idOf = (field: FormField): string => field._id ?? ''
/** The name of a field's errors. */
export const pathOf = (field: FormField): string => `answers.${idOf(field)}`

const textOf = (answer: Answer | undefined): string => (typeof answer === 'string' ? answer.trim() : '')
export const optionsOf = (answer: Answer | undefined): string[] =>
  Array.isArray(answer) ? answer.filter((one): one is string => typeof one === 'string') : []
export const filesOf = (answer: Answer | undefined): PrivateFile[] =>
  Array.isArray(answer) ? answer.filter((one): one is PrivateFile => typeof one === 'object') : []

/** The state of stored answers. */
export function answersFrom(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  files: readonly PrivateFile[],
): Answers {
  const entries = fields.flatMap((field): [string, Answer][] => {
    const value = values[idOf(field)]
    if (value === undefined || value === null) return []
    if (field.type === 'FILE') {
      const ids = Array.isArray(value) ? value : []
      return [[idOf(field), files.filter(({ _id }) => ids.includes(_id))]]
    }
    if (Array.isArray(value)) return [[idOf(field), value.map(String)]]
    return [[idOf(field), typeof value === 'boolean' ? value : String(value)]]
  })
  return Object.fromEntries(entries)
}

const isEmpty = (field: FormField, answer: Answer | undefined): boolean => {
  switch (field.type) {
    case 'CHOICES':
      return optionsOf(answer).length === 0
    case 'FILE':
      return filesOf(answer).length === 0
    case 'CONSENT':
      return answer !== true
    default:
      return textOf(answer) === ''
  }
}

const MISSING: Partial<Record<FormField['type'], string>> = {
  CHOICE: '선택해 주세요.',
  CHOICES: '선택해 주세요.',
  FILE: '파일을 첨부해 주세요.',
  CONSENT: '동의해 주세요.',
}

export const maxLengthOf = (field: FormField): number => field.maxLength ?? (field.type === 'TEXT' ? 200 : 2000)

function fault(field: FormField, answer: Answer | undefined): string | undefined {
  if (isEmpty(field, answer)) return field.required ? (MISSING[field.type] ?? '입력해 주세요.') : undefined
  const text = textOf(answer)
  switch (field.type) {
    case 'EMAIL':
      return email(text)
    case 'PHONE':
      return phone(text)
    case 'NUMBER': {
      if (!/^-?\d{1,15}$/.test(text)) return '숫자로 입력해 주세요.'
      const value = Number(text)
      if (typeof field.min === 'number' && value < field.min) return `${field.min} 이상으로 입력해 주세요.`
      if (typeof field.max === 'number' && value > field.max) return `${field.max} 이하로 입력해 주세요.`
      return undefined
    }
    default:
      return undefined
  }
}

/** A message for each wrong answer. */
export const faultsOf = (fields: readonly FormField[], answers: Answers): FormErrors =>
  Object.fromEntries(fields.map((field) => [pathOf(field), fault(field, answers[idOf(field)])]))

function sent(field: FormField, answer: Answer | undefined): unknown {
  switch (field.type) {
    case 'NUMBER':
      return Number(textOf(answer))
    case 'CHOICES':
      return optionsOf(answer)
    case 'FILE':
      return filesOf(answer).map(({ _id }) => _id)
    case 'CONSENT':
      return true
    case 'PHONE':
      return digits(textOf(answer))
    default:
      return textOf(answer)
  }
}

/** What is sent: only the answers that were given. */
export const toSend = (fields: readonly FormField[], answers: Answers): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => !isEmpty(field, answers[idOf(field)]))
      .map((field) => [idOf(field), sent(field, answers[idOf(field)])]),
  )
