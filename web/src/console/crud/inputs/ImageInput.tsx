// Pictures and files of a record: chosen or dropped, uploaded at once, shown with their alternative text.
import { ArrowLeft, ArrowRight, ImagePlus, Paperclip, Trash2 } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { toApiError } from '../../../api/errors'
import { cn } from '../../../lib/cn'
import { Button, IconButton } from '../../../ui/Button'
import { Field, Fieldset } from '../../../ui/Field'
import { Input } from '../../../ui/Input'
import { isDocument } from '../formState'
import { crudWords } from '../words'
import { altOf, upload } from './upload'

const k = crudWords

type Picture = { url: string; alt?: string | null }

/** A record may store a picture as an address only. */
const pictureOf = (value: unknown): Picture | undefined =>
  typeof value === 'string' && value !== ''
    ? { url: value }
    : isDocument(value) && typeof value.url === 'string' && value.url !== ''
      ? (value as Picture)
      : undefined

/** Pictures have a white background; multiplied, it takes the tile's colour, as in the shop. */
const Thumbnail = ({ picture, className }: { picture: Picture; className: string }) => (
  <span className={cn('block overflow-hidden rounded-md bg-picture', className)}>
    <img src={picture.url} alt={picture.alt ?? ''} className="size-full object-contain mix-blend-multiply" />
  </span>
)

type InputProps = {
  label: string
  required?: boolean
  value: unknown
  onValueChange: (value: unknown) => void
  error?: string
  disabled?: boolean
  className?: string
  /** Maximum length of the alternative text. */
  maxLength?: number
}

/** State of an upload. */
function useUpload(onDone: (files: { url: string; name: string }[]) => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const take = async (files: readonly File[], as: 'image' | 'file') => {
    if (files.length === 0) return
    setBusy(true)
    setFailure(undefined)
    try {
      onDone(await Promise.all(files.map((file) => upload(file, as))))
    } catch (thrown) {
      setFailure(toApiError(thrown).told)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, take }
}

type FileButtonProps = {
  /** Purpose of the files. */
  label: string
  /** Label of the button. */
  name: string
  /** File types offered in the file chooser; default: all. */
  accept?: string
  many?: boolean
  busy: boolean
  disabled?: boolean
  onFiles: (files: File[]) => void
}

/** A button that opens the file chooser. */
function FileButton({ label, name, accept, many = false, busy, disabled, onFiles }: FileButtonProps) {
  const id = useId()
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        busy={busy}
        disabled={disabled}
        onClick={() => document.getElementById(id)?.click()}
      >
        {name}
      </Button>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={many}
        disabled={disabled}
        aria-label={`${label} ${name}`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

/** A drop area for pictures, and a button to choose them. */
function Picker(props: Omit<FileButtonProps, 'name' | 'accept'>) {
  const [over, setOver] = useState(false)
  if (props.disabled) return <p className="text-ink-3 text-sm">{k.noPicture}</p>
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    props.onFiles([...event.dataTransfer.files].filter((file) => file.type.startsWith('image/')))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a pointer shortcut for the button inside
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex min-h-24 flex-wrap items-center justify-center gap-3 rounded-md border border-dashed p-4 text-ink-3 text-sm',
        over ? 'border-ink bg-accent-soft' : 'border-line-strong bg-sunken',
      )}
    >
      <ImagePlus aria-hidden className="size-5" />
      <span className="max-sm:hidden">{k.dropHere}</span>
      <FileButton {...props} name={k.choosePicture} accept="image/*" />
    </div>
  )
}

export function ImageInput({
  label,
  required,
  value,
  onValueChange,
  error,
  disabled,
  className,
  maxLength,
}: InputProps) {
  const picture = pictureOf(value)
  const asText = typeof value === 'string'
  const { busy, failure, take } = useUpload(([file]) => {
    if (file)
      onValueChange(
        asText
          ? file.url
          : {
              ...(isDocument(value) ? value : {}),
              url: file.url,
              alt: picture?.alt || altOf(file.name).slice(0, maxLength),
            },
      )
  })
  return (
    <Fieldset legend={label} required={required} error={failure ?? error} className={className}>
      {picture ? (
        <div className="flex flex-wrap items-start gap-4">
          <Thumbnail picture={picture} className="h-28 w-44 border border-line" />
          <div className="grid min-w-0 flex-1 basis-56 gap-2">
            {!asText && (
              <Field label={`${label} ${k.alt}`} hint={k.altHint}>
                <Input
                  value={picture.alt ?? ''}
                  maxLength={maxLength}
                  disabled={disabled}
                  onChange={(event) => onValueChange({ ...picture, alt: event.target.value })}
                />
              </Field>
            )}
            <div className="flex gap-2">
              <FileButton
                label={label}
                name={k.replace}
                accept="image/*"
                busy={busy}
                disabled={disabled}
                onFiles={(files) => void take(files.slice(0, 1), 'image')}
              />
              <Button size="sm" variant="ghost" disabled={disabled} onClick={() => onValueChange(asText ? '' : null)}>
                <Trash2 aria-hidden />
                {k.takeAway}
              </Button>
            </div>
          </div>
        </div>
      ) : (
        <Picker
          label={label}
          busy={busy}
          disabled={disabled}
          onFiles={(files) => void take(files.slice(0, 1), 'image')}
        />
      )}
    </Fieldset>
  )
}

export function ImagesInput({ label, value, onValueChange, error, disabled, className, maxLength }: InputProps) {
  const pictures = (Array.isArray(value) ? value : []).flatMap((one) => pictureOf(one) ?? [])
  const { busy, failure, take } = useUpload((files) =>
    onValueChange([
      ...pictures,
      ...files.map((file) => ({ url: file.url, alt: altOf(file.name).slice(0, maxLength) })),
    ]),
  )
  const move = (from: number, to: number) => {
    const next = [...pictures]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    onValueChange(next)
  }
  return (
    <Fieldset legend={label} error={failure ?? error} className={className}>
      <div className="grid gap-3">
        {pictures.length > 0 && (
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {pictures.map((picture, i) => (
              <li key={picture.url} className="grid gap-2 rounded-md border border-line p-3">
                <Thumbnail picture={picture} className="h-32 w-full" />
                <Field
                  label={
                    <>
                      <span className="sr-only">{k.nth(i + 1)} </span>
                      {k.alt}
                    </>
                  }
                >
                  <Input
                    value={picture.alt ?? ''}
                    maxLength={maxLength}
                    disabled={disabled}
                    onChange={(event) =>
                      onValueChange(pictures.map((one, at) => (at === i ? { ...one, alt: event.target.value } : one)))
                    }
                  />
                </Field>
                <div className="flex">
                  <IconButton
                    size="sm"
                    label={k.forward(k.nth(i + 1))}
                    disabled={disabled || i === 0}
                    onClick={() => move(i, i - 1)}
                  >
                    <ArrowLeft aria-hidden />
                  </IconButton>
                  <IconButton
                    size="sm"
                    label={k.backward(k.nth(i + 1))}
                    disabled={disabled || i === pictures.length - 1}
                    onClick={() => move(i, i + 1)}
                  >
                    <ArrowRight aria-hidden />
                  </IconButton>
                  <IconButton
                    size="sm"
                    label={k.removeItem(k.nth(i + 1))}
                    className="ml-auto"
                    disabled={disabled}
                    onClick={() => onValueChange(pictures.filter((_, at) => at !== i))}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </div>
              </li>
            ))}
          </ul>
        )}
        {(!disabled || pictures.length === 0) && (
          <Picker label={label} many busy={busy} disabled={disabled} onFiles={(files) => void take(files, 'image')} />
        )}
      </div>
    </Fieldset>
  )
}

export function FileInput({ label, value, onValueChange, error, disabled, className }: InputProps) {
  const file = pictureOf(value) as { url: string; name?: string } | undefined
  const { busy, failure, take } = useUpload(
    ([stored]) => stored && onValueChange({ url: stored.url, name: stored.name }),
  )
  return (
    <Fieldset legend={label} error={failure ?? error} className={className}>
      <div className="flex flex-wrap items-center gap-3">
        {file && (
          <a href={file.url} className="flex items-center gap-1.5 underline underline-offset-4">
            <Paperclip aria-hidden className="size-4" />
            {file.name ?? file.url}
          </a>
        )}
        <FileButton
          label={label}
          name={file ? k.replace : k.chooseFile}
          busy={busy}
          disabled={disabled}
          onFiles={(files) => void take(files.slice(0, 1), 'file')}
        />
      </div>
    </Fieldset>
  )
}
