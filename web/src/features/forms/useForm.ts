// State of a form that is sent to the server: values, errors by field, focus of the first invalid field, pending (decision 44).
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/errors'

/** Messages by field path (`receiver.phone`); `form` belongs to no single field. */
export type FormErrors = Readonly<Record<string, string | undefined>>

export type FormOptions<V extends object, A> = {
  initial: V | (() => V)
  /** External state and its setter; the current `initial` is then only compared with, for `isDirty`. */
  store?: readonly [values: V, change: (part: Partial<V>) => void]
  /** Validation: a message for each invalid field. Its keys are fields on screen. */
  check: (values: V) => FormErrors
  /** Further fields on screen, by the server's names; default: the keys of the values. */
  fields?: readonly string[]
  send: (values: V) => Promise<A>
  onSent?: (answer: A) => unknown
  /** Maps refusals without a field, or with other field names, to errors; undefined for the usual mapping. */
  refused?: (error: ApiError) => FormErrors | undefined
  /** Called after validation; nothing is sent unless it resolves to true. */
  confirm?: () => Promise<boolean>
  /** Disables sending. */
  disabled?: boolean
}

type TextKey<V> = { [K in keyof V]: V[K] extends string ? K : never }[keyof V] & string

export type Form<V extends object> = {
  values: V
  /** New values of some fields, or what to make of the values at that time. */
  set: (part: Partial<V> | ((now: V) => Partial<V>)) => void
  /** Resets the form to these values. */
  reset: (values: V) => void
  errors: FormErrors
  /** The server's last refusal, until the form is sent again. */
  refusal: ApiError | undefined
  isDirty: boolean
  isPending: boolean
  /** `value` and `onChange` of a text control. */
  text: (name: TextKey<V>) => {
    value: string
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
  }
  /** Shows the field's own error from now on if something is entered: for `onBlur`. */
  touch: (name: keyof V & string) => void
  formProps: { ref: RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void }
}

const FIRST_INVALID = '[aria-invalid="true"], fieldset[data-invalid] input, [data-form-error]'

const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      values,
    )

const present = (errors: FormErrors): [string, string][] =>
  Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1]))

const given = <V extends object>(initial: V | (() => V)): V => (typeof initial === 'function' ? initial() : initial)

type Refusal<V> = { error: ApiError; errors: FormErrors; sent: V }

export function useForm<V extends object, A = unknown>({
  initial,
  store,
  check,
  fields,
  send,
  onSent,
  refused,
  confirm,
  disabled = false,
}: FormOptions<V, A>): Form<V> {
  const [start, setStart] = useState(initial)
  const [own, setOwn] = useState(start)
  const values = store?.[0] ?? own
  const change: Form<V>['set'] = (part) => {
    const parted = (now: V) => (typeof part === 'function' ? part(now) : part)
    if (store) store[1](parted(values))
    else setOwn((now) => ({ ...now, ...parted(now) }))
  }
  /** Fields that show their current validation error: those left after input, or all once the form was sent. */
  const [touched, setTouched] = useState<'all' | ReadonlySet<string>>(() => new Set())
  const [refusal, setRefusal] = useState<Refusal<V>>()
  const [failures, setFailures] = useState(0)
  const ref = useRef<HTMLFormElement>(null)

  useLayoutEffect(() => {
    if (failures === 0) return
    const invalid = ref.current?.querySelector<HTMLElement>(FIRST_INVALID)
    invalid?.focus()
    invalid?.scrollIntoView({ block: 'center' })
  }, [failures])

  const mutation = useMutation({
    meta: { suppressToast: true },
    mutationFn: send,
    onSuccess: (answer) => {
      setTouched(new Set())
      return onSent?.(answer)
    },
    onError: (thrown, sent) => {
      const error = toApiError(thrown)
      const usual = () => error.onForm([...Object.keys(check(sent)), ...(fields ?? Object.keys(sent))])
      const errors = refused?.(error) ?? usual()
      setRefusal({ error, sent, errors: error.alerted ? { ...errors, form: undefined } : errors })
      setFailures((count) => count + 1)
    },
  })

  const found = present(check(values))
  // The server's error about a value applies only to that value.
  const ofServer = refusal
    ? present(refusal.errors).filter(([path]) => valueAt(values, path) === valueAt(refusal.sent, path))
    : []
  const errors = Object.fromEntries([
    ...found.filter(([name]) => touched === 'all' || (touched.has(name) && Boolean(valueAt(values, name)))),
    ...ofServer,
  ])

  const submit = async () => {
    if (disabled || mutation.isPending) return
    setTouched('all')
    setRefusal(undefined)
    if (found.length > 0) return setFailures((count) => count + 1)
    if (confirm && !(await confirm())) return
    mutation.mutate(values)
  }

  return {
    values,
    set: change,
    reset: (next) => {
      setStart(next)
      setOwn(next)
      setTouched(new Set())
      setRefusal(undefined)
    },
    errors,
    refusal: refusal?.error,
    isDirty: JSON.stringify(values) !== JSON.stringify(store ? given(initial) : start),
    isPending: mutation.isPending,
    text: (name) => ({
      value: String(values[name]),
      onChange: (event) => change({ [name]: event.target.value } as Partial<V>),
    }),
    touch: (name) => {
      if (touched !== 'all') setTouched(new Set([...touched, name]))
    },
    formProps: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}
