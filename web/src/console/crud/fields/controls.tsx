// The control of each type of field in a form.
import type { ComponentType } from 'react'
import { moneySign } from '../../../lib/money'
import { Checkbox } from '../../../ui/Checkbox'
import { Fieldset } from '../../../ui/Field'
import { Select, Textarea } from '../../../ui/Input'
import { missing, optional } from '../../../ui/Optional'
import { Loading, Skeleton } from '../../../ui/states'
import { ColorInput } from '../inputs/ColorInput'
import { DateInput } from '../inputs/DateInput'
import { InputWithAddon } from '../inputs/InputWithAddon'
import { LazyRichText } from '../inputs/LazyRichText'
import { isTree, ReferenceInput, ReferencesInput } from '../inputs/ReferenceInput'
import { TagsInput } from '../inputs/TagsInput'
import { TreeMultiSelect, TreeSelect } from '../inputs/TreeSelect'
import type { Field, FieldType, Option } from '../schema'
import { crudWords as k } from '../words'

/** What a control inside a labelled field is given. */
type ControlProps = {
  field: Field
  value: unknown
  /** The value as text: what was typed, also if it is invalid. */
  text: string
  disabled: boolean
  onValueChange: (value: unknown) => void
  /** Filters of the records a reference can name. */
  only: Record<string, string>
}

/** What a control is given that labels itself. */
export type LabelledControlProps = Omit<ControlProps, 'only'> & {
  label: string
  className?: string
  error?: string
  path: string
  draft: unknown
  put: (path: string, value: unknown) => void
  errors: Record<string, string>
}

type FieldControl = {
  /** It takes the form's full width. */
  isWide?: true
  hint?: (field: Field) => string | undefined
} & ({ Control: ComponentType<ControlProps> } | { Labelled: ComponentType<LabelledControlProps> })

/** A control that few forms have is loaded where it is shown. */
const lazyControl = <P extends { className?: string }>(
  load: () => Promise<{ default: ComponentType<P> }>,
  legendOf: (props: P) => string,
) =>
  optional(load, {
    waiting: (props) => (
      <Fieldset legend={legendOf(props)} className={props.className}>
        <Loading>
          <Skeleton className="h-52" />
        </Loading>
      </Fieldset>
    ),
    instead: missing,
  })

/** Dragging needs a library. */
const ListInput = lazyControl(
  () => import('../inputs/ListInput'),
  ({ field }) => field.label,
)
const pictures = () => import('../inputs/ImageInput')
export const ImageInput = lazyControl(
  async () => ({ default: (await pictures()).ImageInput }),
  ({ label }) => label,
)
const ImagesInput = lazyControl(
  async () => ({ default: (await pictures()).ImagesInput }),
  ({ label }) => label,
)
const FileInput = lazyControl(
  async () => ({ default: (await pictures()).FileInput }),
  ({ label }) => label,
)

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [])

type TextKind = { inputMode?: 'decimal' | 'numeric' | 'url'; before?: () => string; after?: string }

const textControl = ({ inputMode, before, after }: TextKind = {}) =>
  function TextControl({ field, text, disabled, onValueChange }: ControlProps) {
    return (
      <InputWithAddon
        before={before?.()}
        after={after}
        type="text"
        inputMode={inputMode}
        maxLength={field.maxLength ?? undefined}
        value={text}
        disabled={disabled}
        onChange={(event) => onValueChange(event.target.value)}
      />
    )
  }

const areaControl = (rows: number, spellCheck: boolean) =>
  function AreaControl({ field, text, disabled, onValueChange }: ControlProps) {
    return (
      <Textarea
        value={text}
        rows={rows}
        spellCheck={spellCheck}
        maxLength={field.maxLength ?? undefined}
        disabled={disabled}
        onChange={(event) => onValueChange(event.target.value)}
      />
    )
  }

/** The options; the current value is kept, even if it is not among them. */
function choicesOf({ values }: Field, chosen: string): readonly Option[] {
  const named = values ?? []
  return chosen === '' || named.some(({ value }) => value === chosen)
    ? named
    : [...named, { value: chosen, label: chosen }]
}

const ChoiceControl = ({ field, text, disabled, onValueChange }: ControlProps) => (
  <Select
    options={choicesOf(field, text)}
    placeholder={field.required ? (text === '' ? k.choose : undefined) : k.noChoice}
    value={text}
    disabled={disabled}
    onChange={(event) => onValueChange(event.target.value)}
  />
)

const FreeText = textControl()

/** A text with usual values is a choice among them. */
const TextControl = (props: ControlProps) =>
  props.field.values?.length ? <ChoiceControl {...props} /> : <FreeText {...props} />

function ReferenceControl({ field, value, text, disabled, onValueChange, only }: ControlProps) {
  const kind = field.resource ?? ''
  if (isTree(kind)) return <TreeSelect kind={kind} value={text} onValueChange={onValueChange} disabled={disabled} />
  return (
    <ReferenceInput
      kind={kind}
      value={value}
      onValueChange={onValueChange}
      onInvalid={onValueChange}
      disabled={disabled}
      required={field.required}
      only={only}
    />
  )
}

function ReferencesControl({ field, value, ...props }: LabelledControlProps) {
  const kind = field.resource ?? ''
  const Several = isTree(kind) ? TreeMultiSelect : ReferencesInput
  return <Several {...labelled(props)} kind={kind} value={textsOf(value)} />
}

const tagsControl = (inputMode?: 'numeric') =>
  function TagsControl({ field, value, disabled, onValueChange }: ControlProps) {
    return (
      <TagsInput
        value={textsOf(value)}
        values={field.values ?? undefined}
        inputMode={inputMode}
        onValueChange={onValueChange}
        disabled={disabled}
      />
    )
  }

const DateControl = ({ field, value, disabled, onValueChange }: ControlProps) => (
  <DateInput
    type={field.type === 'date' ? 'date' : 'datetime'}
    value={value}
    onValueChange={onValueChange}
    disabled={disabled}
  />
)

const ColorControl = ({ field, value, disabled, onValueChange }: ControlProps) => (
  <ColorInput label={field.label} value={value} onValueChange={onValueChange} disabled={disabled} />
)

const BooleanControl = ({ label, value, disabled, onValueChange }: LabelledControlProps) => (
  <Checkbox
    className="self-end pb-2.5"
    label={label}
    checked={value === true}
    disabled={disabled}
    onChange={(event) => onValueChange(event.target.checked)}
  />
)

const labelled = ({
  className,
  label,
  onValueChange,
  error,
  disabled,
}: Omit<LabelledControlProps, 'field' | 'value'>) => ({
  className,
  label,
  onValueChange,
  error,
  disabled,
})

export const FIELD_CONTROLS: Record<FieldType, FieldControl> = {
  text: { Control: TextControl },
  longtext: { Control: areaControl(4, true), isWide: true },
  url: { Control: textControl({ inputMode: 'url' }) },
  html: {
    Labelled: ({ text, ...props }) => <LazyRichText {...labelled({ text, ...props })} value={text} />,
    isWide: true,
  },
  integer: { Control: textControl({ inputMode: 'numeric' }) },
  amount: { Control: textControl({ inputMode: 'decimal', before: moneySign }) },
  percent: { Control: textControl({ inputMode: 'numeric', after: '%' }), hint: () => k.percentHint },
  boolean: { Labelled: BooleanControl },
  date: { Control: DateControl },
  datetime: { Control: DateControl },
  enum: { Control: ChoiceControl },
  image: {
    Labelled: ({ field, value, ...props }) => (
      <ImageInput
        {...labelled(props)}
        required={field.required}
        maxLength={field.maxLength ?? undefined}
        value={value}
      />
    ),
    isWide: true,
  },
  images: {
    Labelled: ({ field, value, ...props }) => (
      <ImagesInput {...labelled(props)} maxLength={field.maxLength ?? undefined} value={value} />
    ),
    isWide: true,
  },
  file: { Labelled: ({ value, ...props }) => <FileInput {...labelled(props)} value={value} /> },
  reference: { Control: ReferenceControl },
  references: { Labelled: ReferencesControl, isWide: true },
  list: {
    Labelled: ({ className, field, path, draft, put, errors, disabled }) => (
      <ListInput
        className={className}
        field={field}
        path={path}
        draft={draft}
        put={put}
        errors={errors}
        disabled={disabled}
      />
    ),
    isWide: true,
  },
  tags: { Control: tagsControl(), isWide: true, hint: (field) => (field.values ? undefined : k.tagsHint) },
  numbers: { Control: tagsControl('numeric'), isWide: true, hint: () => k.tagsHint },
  color: { Control: ColorControl },
  json: { Control: areaControl(6, false), isWide: true },
  point: { Control: textControl(), hint: () => k.pointHint },
}
