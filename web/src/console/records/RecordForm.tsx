// A form made of a field list. It sends only what was changed, warns before changes are lost, and when somebody else was faster it
// shows both versions.
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useBlocker } from 'react-router'
import { type ApiError, toApiError } from '../../api/errors'
import { ko } from '../../i18n/ko'
import { ask } from '../../ui/ask'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { toast } from '../../ui/toast'
import { words } from '../words'
import { Conflict } from './Conflict'
import { FieldInput } from './FieldInput'
import {
  changedPaths,
  type Document,
  type FieldDef,
  faultsOf,
  patch,
  type Section,
  toValues,
  type Values,
} from './fields'

const t = words.record

export type ExtraProps = {
  /** What was changed beside the fields; empty at first and after saving. */
  value: Document
  onValue: (value: Document) => void
  errors: Record<string, string>
}

type RecordFormProps = {
  sections: readonly Section[]
  /** The record as read, with its `version`; for a new one what it starts with. */
  document: Document
  isNew?: boolean
  /** Sends the changed fields; for an existing record with the version the form started from. */
  onSave: (changes: Document, version: number | undefined) => Promise<unknown>
  /** Editors that a field list cannot say; what they answer is sent beside the fields. */
  extra?: (props: ExtraProps) => ReactNode
  /** Buttons beside save. */
  actions?: ReactNode
}

/** What a refused save says about the record as it is now. */
type Newer = { version: number; current: Document }

function newerOf(error: ApiError): Newer | undefined {
  const details = error.details as Partial<Newer> | undefined
  return error.code === 'version_conflict' && details?.version !== undefined
    ? { version: details.version, current: details.current ?? {} }
    : undefined
}

export function RecordForm({ sections, document, isNew = false, onSave, extra, actions }: RecordFormProps) {
  const fields = useMemo<FieldDef[]>(() => sections.flatMap((section) => section.fields), [sections])
  const [base, setBase] = useState(document)
  const before = toValues(fields, base)
  const [values, setValues] = useState<Values>(before)
  const [beside, setBeside] = useState<Document>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [newer, setNewer] = useState<Newer>()
  const [busy, setBusy] = useState(false)

  const changed = isNew ? fields.map((field) => field.path) : changedPaths(fields, before, values)
  const touched = changedPaths(fields, before, values).length > 0 || Object.keys(beside).length > 0
  useLeaveWarning(touched && !busy)

  const restart = (from: Document) => {
    setBase(from)
    setValues(toValues(fields, from))
    setBeside({})
    setErrors({})
    setFailure(undefined)
  }
  // A newer version came (saved, restored): the form starts from it, unless something is typed already.
  useEffect(() => {
    if (Number(document.version) > Number(base.version) && !touched) restart(document)
  })

  const save = async (version: number | undefined, from: Document) => {
    const found = faultsOf(fields, values)
    setErrors(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) return
    if (!touched && !isNew) return void toast(t.unchanged)
    setBusy(true)
    try {
      await onSave({ ...patch(fields, from, values, changed), ...beside }, version)
      setBeside({})
      setBase({ ...from, ...patch(fields, from, values, changed) })
      setNewer(undefined)
    } catch (thrown) {
      const error = toApiError(thrown)
      const now = newerOf(error)
      if (now) setNewer(now)
      else {
        setErrors(error.byField())
        setFailure(error.message)
      }
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(base.version as number | undefined, base)
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      {sections.map((section) => (
        <Card key={section.title} title={section.title}>
          <div className="grid gap-4 sm:grid-cols-2">
            {section.fields
              .filter((field) => field.when?.(values) ?? true)
              .map((field) => (
                <FieldInput
                  key={field.path}
                  field={field}
                  value={values[field.path]}
                  disabled={field.onceOnly === true && !isNew}
                  error={errors[field.path]}
                  onValue={(value) => setValues((all) => ({ ...all, [field.path]: value }))}
                />
              ))}
          </div>
        </Card>
      ))}
      {extra?.({ value: beside, onValue: setBeside, errors })}
      {failure && (
        <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger">
          {failure}
        </p>
      )}
      <div className="sticky bottom-0 z-10 -mx-1 flex items-center justify-end gap-2 border-line border-t bg-sunken/95 px-1 py-3 backdrop-blur">
        {actions}
        <Button type="submit" busy={busy} className="ml-auto">
          {ko.action.save}
        </Button>
      </div>
      {newer && (
        <Conflict
          fields={fields}
          mine={{ ...base, ...patch(fields, base, values, changed) }}
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

/** Asks before a way out of the page takes unsaved changes with it. */
function useLeaveWarning(unsaved: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved && currentLocation.pathname + currentLocation.search !== nextLocation.pathname + nextLocation.search,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void ask({ title: t.leave }).then((yes) => (yes ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  useEffect(() => {
    if (!unsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [unsaved])
}
