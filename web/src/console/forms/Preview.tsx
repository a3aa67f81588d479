// A form as its readers see it. What is typed here goes nowhere.
import { useState } from 'react'
import { type Answers, type FormField, faultsOf } from '../../features/inquiryForms/answers'
import { FormFields } from '../../features/inquiryForms/FormFields'
import type { Document } from '../crud/formState'

const TYPES: readonly FormField['type'][] = [
  'TEXT',
  'LONGTEXT',
  'NUMBER',
  'DATE',
  'EMAIL',
  'PHONE',
  'CHOICE',
  'CHOICES',
  'FILE',
  'CONSENT',
]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | null => (text(String(value ?? '')) === '' ? null : Number(value))

/** The fields of a draft; those without a question are left out. */
const fieldsOf = (draft: Document): FormField[] => {
  const rows = Array.isArray(draft.fields) ? (draft.fields as Document[]) : []
  return rows
    .filter((row) => text(row.name).trim() !== '')
    .map((row, place) => ({
      _id: String(place),
      type: TYPES.find((type) => type === row.type) ?? 'TEXT',
      name: text(row.name),
      desc: text(row.desc),
      required: row.required === true,
      options: Array.isArray(row.options) ? row.options.map(String) : [],
      min: number(row.min),
      max: number(row.max),
      maxLength: number(row.maxLength),
    }))
}

export function Preview({ draft }: { draft: Document }) {
  const [answers, setAnswers] = useState<Answers>({})
  const fields = fieldsOf(draft)
  const typed = fields.filter(({ _id }) => _id !== undefined && answers[_id] !== undefined)
  if (fields.length === 0)
    return <p className="text-ink-3 text-sm">항목을 추가하면 보낼 사람에게 보이는 모습이 여기에 나타납니다.</p>
  return (
    <div className="grid max-w-2xl gap-5">
      <p className="break-words font-bold text-xl">{text(draft.name)}</p>
      <FormFields
        fields={fields}
        answers={answers}
        errors={faultsOf(typed, answers)}
        onChange={setAnswers}
        onUploading={() => {}}
      />
    </div>
  )
}
