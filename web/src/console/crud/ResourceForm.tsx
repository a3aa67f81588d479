// A form generated from a schema and a definition. It sends changed fields only, warns before unsaved changes are lost, shows the
// server's errors at their fields, and on a version conflict shows both versions.
import { type FormEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ApiError, toApiError } from '../../api/errors'
import { useDirtyReport, useLeaveWarning } from '../../features/forms/unsaved'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { isLetter, usePageKeys } from '../../ui/keys'
import { toast } from '../../ui/toast'
import { Conflict } from './Conflict'
import { type Document, fromDraft, fromSeen, getIn, isTouched, setIn, toDraft } from './formState'
import { dependentFields, ReferenceRules } from './inputs/DependentSelect'
import { FieldInput, isIdle } from './inputs/FieldInput'
import type { EditProps, ResourceDef, Section } from './resourceDefinition'
import { type Field, fieldOf, type ResourceSchema } from './schema'
import { crudWords, recordWords } from './words'

const t = recordWords

type ResourceFormProps = {
  kind: ResourceSchema
  def: ResourceDef
  /** The record as loaded, with its `version`; for a new one its initial values. */
  document: Document
  isNew?: boolean
  /** Sends the changed fields, for an existing record with the version the form started from; resolves to the new version. */
  onSave: (changes: Document, version: number | undefined) => Promise<number | undefined>
  /** Whether the user may change it. */
  readOnly?: boolean
  /** Buttons beside save. */
  actions?: ReactNode
  /** Called with whether there is unsaved input. */
  onDirty?: (isDirty: boolean) => void
}

/** The current record, from a version conflict. */
type NewerVersion = { version: number; current: Document }

function newerOf(error: ApiError): NewerVersion | undefined {
  const details = error.details as Partial<NewerVersion> | undefined
  return error.code === 'version_conflict' && details?.version !== undefined
    ? { version: details.version, current: details.current ?? {} }
    : undefined
}

/** The fields of a definition, without those of custom editors. */
export const fieldsOf = (kind: ResourceSchema, def: ResourceDef): Field[] =>
  def.sections.flatMap((section) =>
    section.fields.flatMap((one) => (typeof one === 'string' ? (fieldOf(kind, one) ?? []) : [])),
  )

/** Fields that are hidden or disabled for these values. */
const unseenOf = (def: ResourceDef, draft: Document): string[] =>
  def.sections.flatMap(({ fields, when }) =>
    fields.flatMap((one) =>
      when?.(draft) === false
        ? typeof one === 'string'
          ? [one]
          : one.paths
        : typeof one === 'string' && (isIdle(one, draft) || !isShown(def, one, draft))
          ? [one]
          : [],
    ),
  )

/** Whether a field applies with these values. */
const isShown = (def: ResourceDef, name: string, draft: Document): boolean => def.shownWhen?.[name]?.(draft) ?? true

export function ResourceForm({
  kind,
  def,
  document,
  isNew = false,
  onSave,
  readOnly = false,
  actions,
  onDirty,
}: ResourceFormProps) {
  const fields = fieldsOf(kind, def)
  const form = useRef<HTMLFormElement>(null)
  const [read, setRead] = useState(document)
  const [base, setBase] = useState(document)
  const [begun, setBegun] = useState(() => toDraft(fields, document))
  const [draft, setDraft] = useState(begun)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refused, setRefused] = useState<Document>()
  const [failure, setFailure] = useState<string>()
  const [newer, setNewer] = useState<NewerVersion>()
  const [busy, setBusy] = useState(false)
  const touched = isTouched(begun, draft)
  // A refusal is about the value at the time: it is cleared when that changes.
  const open = Object.entries(errors).filter(
    ([path]) => !refused || !isTouched(getIn(refused, path), getIn(draft, path)),
  )
  const isMended = open.length === 0 && Object.keys(errors).length > 0
  useLeaveWarning(touched && !busy)
  useDirtyReport(touched, onDirty)

  const restart = (from: Document) => {
    const fresh = toDraft(fields, from)
    setBase(from)
    setBegun(fresh)
    setDraft(fresh)
    setErrors({})
    setFailure(undefined)
  }
  // The record was loaded again (saved, restored; related data may change without a version): the form restarts from it, unless
  // there is unsaved input.
  useEffect(() => {
    if (document === read || touched || !(Number(document.version) >= Number(base.version))) return
    setRead(document)
    restart(document)
  })
  // After a refusal the first refused field gets the focus.
  useLayoutEffect(() => {
    if (Object.keys(errors).length === 0) return
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[aria-describedby]')
    const control = first?.matches('fieldset')
      ? first.querySelector<HTMLElement>('input,button,select,textarea')
      : first
    control?.focus()
    first?.scrollIntoView({ block: 'center' })
  }, [errors])

  const save = async (version: number | undefined, from: Document) => {
    if (busy) return
    const { changes, faults } = fromSeen(unseenOf(def, draft), fields, from, begun, draft)
    setRefused(draft)
    setErrors(faults)
    setFailure(Object.keys(faults).length > 0 ? t.faulty : undefined)
    if (Object.keys(faults).length > 0) return
    if (!touched && !isNew) return void toast(t.unchanged)
    setBusy(true)
    try {
      const saved = await onSave(def.toSave?.(changes) ?? changes, version)
      // Input entered during the save is kept, on top of the saved values.
      setBegun(draft)
      setBase({ ...from, ...changes, version: saved ?? from.version })
      setNewer(undefined)
      // A new record stays pending until its page is shown: another click would create a second one.
      setBusy(isNew)
    } catch (thrown) {
      setBusy(false)
      const error = toApiError(thrown)
      const now = newerOf(error)
      if (now) setNewer(now)
      else {
        setErrors(error.byField())
        setFailure(error.message)
      }
    }
  }
  const saveNow = () => void save(base.version as number | undefined, base)
  useSaveKey(form, saveNow, !readOnly && !busy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saveNow()
  }
  const setValue = (path: string, value: unknown) =>
    setDraft((now) => {
      const within = Object.keys(def.dependsOn ?? {}).filter((name) => def.dependsOn?.[name] === path)
      const emptied = [...within, ...dependentFields(def.dependentOptions ?? {}, path)]
      return emptied.reduce((next, name) => setIn(next, name, ''), setIn(now, path, value))
    })
  const Preview = def.preview

  return (
    <form ref={form} onSubmit={submit} noValidate className="grid min-w-0 gap-5">
      {Preview && (
        <Card title={crudWords.preview}>
          <Preview draft={draft} />
        </Card>
      )}
      <ReferenceRules value={def}>
        {def.sections
          .filter((section) => section.when?.(draft) ?? true)
          .map((section) => (
            <SectionCard
              key={section.title}
              section={section}
              def={def}
              kind={kind}
              edit={{
                schema: kind,
                draft,
                document: base,
                isNew,
                setValue,
                errors: Object.fromEntries(open),
                readOnly,
              }}
            />
          ))}
      </ReferenceRules>
      {!readOnly && (
        <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken/95 px-1 py-3 backdrop-blur">
          {/* Beside the button that was pressed: the end of a long form is out of view. */}
          {failure && !isMended && (
            <p role="alert" className="basis-full rounded-md bg-danger-soft px-4 py-3 text-danger">
              {failure}
            </p>
          )}
          {actions}
          {touched && <span className="ml-auto text-ink-3 text-sm max-xs:sr-only">{crudWords.unsaved}</span>}
          <Button type="submit" busy={busy} className={touched ? undefined : 'ml-auto'} title="Ctrl+S">
            {ko.action.save}
          </Button>
        </div>
      )}
      {newer && (
        <Conflict
          fields={kind.fields}
          mine={{ ...base, ...fromDraft(fields, base, begun, draft).changes }}
          theirs={newer.current}
          busy={busy}
          onKeepMine={() => void save(newer.version, { ...newer.current, version: newer.version })}
          onTakeTheirs={() => {
            restart({ ...base, ...newer.current, version: newer.version })
            setNewer(undefined)
          }}
          onClose={() => setNewer(undefined)}
        />
      )}
    </form>
  )
}

/** Restrictions of a dependent field's options, and a hint when its value was cleared. */
function withinOf(
  kind: ResourceSchema,
  { draft, document }: EditProps,
  within: Record<string, string>,
  name: string,
): { only: Record<string, string>; hint?: string } | undefined {
  const owner = within[name]
  if (owner === undefined) return undefined
  const emptied = getIn(draft, owner) !== getIn(document, owner) && getIn(document, name) && !getIn(draft, name)
  return {
    only: { [owner]: typeof getIn(draft, owner) === 'string' ? String(getIn(draft, owner)) : '' },
    hint: emptied ? crudWords.emptied(fieldOf(kind, owner)?.label ?? '') : undefined,
  }
}

/** Hides the first field's label if it equals the section's title. */
const FIRST_UNLABELLED = '[&>:first-child>legend]:sr-only [&>:first-child>label]:sr-only'

type SectionCardProps = { section: Section; def: ResourceDef; kind: ResourceSchema; edit: EditProps }

function SectionCard({ section, def, kind, edit }: SectionCardProps) {
  const { dependsOn: within = {}, helpTexts: hints, editors } = def
  const [first] = section.fields
  const named = typeof first === 'string' ? fieldOf(kind, first) : undefined
  // A checkbox needs its label.
  const isTitled = named?.label === section.title && named.type !== 'boolean'
  return (
    <Card title={section.title}>
      <div className={cn('grid gap-4 sm:grid-cols-2', isTitled && FIRST_UNLABELLED)}>
        {section.fields.map((one) => {
          if (typeof one !== 'string') {
            const Edit = one.component
            return (
              <div key={one.paths.join()} className="min-w-0 sm:col-span-2">
                <Edit {...edit} />
              </div>
            )
          }
          const field = fieldOf(kind, one)
          const Own = editors?.[one]
          if (!isShown(def, one, edit.draft)) return null
          if (Own) return <Own key={one} {...edit} />
          return (
            field && (
              <FieldInput
                key={one}
                field={field}
                draft={edit.draft}
                put={edit.setValue}
                errors={edit.errors}
                disabled={edit.readOnly}
                within={withinOf(kind, edit, within, one)}
                hint={hints?.[one]}
              />
            )
          )
        })}
      </div>
    </Card>
  )
}

/** Blurs and refocuses the active input, so that inputs that commit on blur commit now. */
function settle(form: HTMLFormElement | null): void {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || !form?.contains(active)) return
  flushSync(() => active.blur())
  active.focus()
}

/** Ctrl+S (⌘S) saves from anywhere on the page. */
function useSaveKey(form: RefObject<HTMLFormElement | null>, save: () => void, on: boolean): void {
  usePageKeys({ save: on ? save : undefined })
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || !isLetter(event, 's')) return
      event.preventDefault()
      settle(form.current)
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [form, on])
}
