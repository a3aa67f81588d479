// The control of a field, by its type.
import { moneySign } from '../../../lib/money'
import { Checkbox } from '../../../ui/Checkbox'
import { Field, Fieldset } from '../../../ui/Field'
import { Select, Textarea } from '../../../ui/Input'
import { missing, optional } from '../../../ui/Optional'
import { Loading, Skeleton } from '../../../ui/states'
import { isInvalid } from '../entry'
import { getIn } from '../formState'
import type { Field as FieldDef, Option } from '../schema'
import { crudWords } from '../words'
import { ColorInput } from './ColorInput'
import { DateInput } from './DateInput'
import { DependentSelect, filtersOf, siblingPath, useReferenceRules } from './DependentSelect'
import { FileInput, ImageInput, ImagesInput } from './ImageInput'
import { InputWithAddon } from './InputWithAddon'
import { LazyRichText } from './LazyRichText'
import { isTree, ReferenceInput, ReferencesInput } from './ReferenceInput'
import { TagsInput } from './TagsInput'
import { TreeMultiSelect, TreeSelect } from './TreeSelect'

export type FieldInputProps = {
  field: FieldDef
  /** Its path in the whole form, for a field inside a list. */
  path?: string
  draft: unknown
  put: (path: string, value: unknown) => void
  errors: Record<string, string>
  disabled?: boolean
  /** Filters of a reference's options, and a hint about them. */
  within?: { only: Record<string, string>; hint?: string }
  /** Help text. */
  hint?: string
}

/** Dragging needs a library, which is loaded only where a list is edited. */
const ListInput = optional(() => import('./ListInput'), {
  waiting: ({ field, className }: FieldInputProps & { className?: string }) => (
    <Fieldset legend={field.label} className={className}>
      <Loading>
        <Skeleton className="h-52" />
      </Loading>
    </Fieldset>
  ),
  instead: missing,
})

/** Types that take the form's full width. */
const WIDE = new Set(['longtext', 'html', 'image', 'images', 'list', 'references', 'tags', 'numbers', 'json'])

const k = crudWords

function hintOf(field: FieldDef): string | undefined {
  if (field.type === 'percent') return k.percentHint
  if (field.type === 'numbers' || (field.type === 'tags' && !field.values)) return k.tagsHint
  if (field.type === 'point') return k.pointHint
  return undefined
}

/** A choice among named options: every enum, and texts with usual values. */
const isChosen = ({ type, values }: FieldDef): boolean => type === 'enum' || (type === 'text' && !!values?.length)

/** The options; the current value is kept, even if it is not among them. */
function choicesOf({ values }: FieldDef, chosen: string): readonly Option[] {
  const named = values ?? []
  return chosen === '' || named.some(({ value }) => value === chosen)
    ? named
    : [...named, { value: chosen, label: chosen }]
}

/** The days of a period that is switched off: they have no effect. */
export const isIdle = (path: string, draft: unknown): boolean =>
  /\.(startedAt|endedAt)$/.test(path) && getIn(draft, siblingPath(path, 'hasPeriod')) === false

export function FieldInput(props: FieldInputProps) {
  const { field, path = field.name, draft, put, errors, disabled = false, within, hint } = props
  const { row, offer } = useReferenceRules(path)
  const value = getIn(draft, path)
  const text = isInvalid(value) ? value.$typed : value === undefined || value === null ? '' : String(value)
  const onValueChange = (next: unknown) => put(path, next)
  const off = disabled || field.readOnly === true
  // Errors of pictures and tags are shown at their parts.
  const error = errors[path] ?? Object.entries(errors).find(([place]) => place.startsWith(`${path}.`))?.[1]
  const place = WIDE.has(field.type) ? 'sm:col-span-2' : undefined

  const common = { className: place, label: field.label, onValueChange, error, disabled: off }
  const maxLength = field.maxLength ?? undefined
  const many = Array.isArray(value) ? (value as string[]) : []
  const kind = field.resource ?? ''

  if (isIdle(path, draft)) return null
  switch (field.type) {
    case 'boolean':
      return (
        <Checkbox
          className={place ?? 'self-end pb-2.5'}
          label={field.label}
          checked={value === true}
          disabled={off}
          onChange={(event) => onValueChange(event.target.checked)}
        />
      )
    case 'list':
      return (
        <ListInput className={place} field={field} path={path} draft={draft} put={put} errors={errors} disabled={off} />
      )
    case 'image':
      return <ImageInput {...common} required={field.required} maxLength={maxLength} value={value} />
    case 'images':
      return <ImagesInput {...common} maxLength={maxLength} value={value} />
    case 'file':
      return <FileInput {...common} value={value} />
    case 'references':
      return isTree(kind) ? (
        <TreeMultiSelect {...common} kind={kind} value={many} />
      ) : (
        <ReferencesInput {...common} kind={kind} value={many} />
      )
    case 'html':
      return <LazyRichText {...common} value={text} />
    default:
  }
  return (
    <Field
      label={field.label}
      required={field.required}
      error={error}
      hint={within?.hint ?? ([hint, hintOf(field)].filter(Boolean).join(' ') || undefined)}
      className={place}
    >
      {row ? (
        <DependentSelect
          row={row}
          path={path}
          draft={draft}
          value={text}
          onValueChange={onValueChange}
          disabled={off}
        />
      ) : field.type === 'longtext' || field.type === 'json' ? (
        <Textarea
          value={text}
          rows={field.type === 'json' ? 6 : 4}
          spellCheck={field.type !== 'json'}
          maxLength={maxLength}
          disabled={off}
          onChange={(event) => onValueChange(event.target.value)}
        />
      ) : isChosen(field) ? (
        <Select
          options={choicesOf(field, text)}
          placeholder={field.required ? (text === '' ? k.choose : undefined) : k.noChoice}
          value={text}
          disabled={off}
          onChange={(event) => onValueChange(event.target.value)}
        />
      ) : field.type === 'reference' && isTree(field.resource ?? '') ? (
        <TreeSelect kind={field.resource ?? ''} value={text} onValueChange={onValueChange} disabled={off} />
      ) : field.type === 'reference' ? (
        <ReferenceInput
          kind={field.resource ?? ''}
          value={value}
          onValueChange={onValueChange}
          onInvalid={onValueChange}
          disabled={off}
          required={field.required}
          only={{ ...within?.only, ...(offer && filtersOf(offer, draft)) }}
        />
      ) : field.type === 'tags' || field.type === 'numbers' ? (
        <TagsInput
          value={Array.isArray(value) ? (value as string[]) : []}
          values={field.values ?? undefined}
          inputMode={field.type === 'numbers' ? 'numeric' : undefined}
          onValueChange={onValueChange}
          disabled={off}
        />
      ) : field.type === 'color' ? (
        <ColorInput label={field.label} value={value} onValueChange={onValueChange} disabled={off} />
      ) : field.type === 'date' || field.type === 'datetime' ? (
        <DateInput type={field.type} value={value} onValueChange={onValueChange} disabled={off} />
      ) : (
        <InputWithAddon
          before={field.type === 'amount' ? moneySign() : undefined}
          after={field.type === 'percent' ? '%' : undefined}
          type="text"
          inputMode={
            field.type === 'amount'
              ? 'decimal'
              : field.type === 'integer' || field.type === 'percent'
                ? 'numeric'
                : field.type === 'url'
                  ? 'url'
                  : undefined
          }
          maxLength={maxLength}
          value={text}
          disabled={off}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  )
}
