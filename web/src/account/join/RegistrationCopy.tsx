// The copy of the business registration in the join form: choose a file, see its size, remove it.
import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { joinWords } from '../../features/login/joinWords'
import { cn } from '../../lib/cn'
import { fileSize } from '../../lib/files'
import { REGISTRATION_KINDS } from '../../lib/validators'
import { IconButton } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'

const t = joinWords

type RegistrationCopyProps = { file: File | undefined; onFile: (file: File | undefined) => void; error?: string }

export function RegistrationCopy({ file, onFile, error }: RegistrationCopyProps) {
  const input = useRef<HTMLInputElement>(null)
  const takeAway = () => {
    onFile(undefined)
    if (!input.current) return
    // Otherwise the same file could not be chosen again.
    input.current.value = ''
    input.current.focus()
  }
  return (
    <div className="grid gap-2">
      <Field label={t.businessRegistration} hint={t.registrationHint} error={error} required>
        <Input
          ref={input}
          type="file"
          accept={REGISTRATION_KINDS.join()}
          onChange={(event) => {
            const [chosen] = event.target.files ?? []
            onFile(chosen)
          }}
          className={cn(
            'py-1.5 file:mr-3 file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:py-0.5 file:font-medium file:text-ink',
            // The file's name is shown below, with its size.
            file && 'text-transparent',
          )}
        />
      </Field>
      {file && (
        <p className="flex items-center gap-2 rounded-md bg-sunken py-1 pr-1 pl-3.5 text-sm">
          <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 truncate">{file.name}</span>
          <span className="figures shrink-0 text-ink-3">{fileSize(file.size)}</span>
          <IconButton size="sm" label={t.takeAway(file.name)} onClick={takeAway}>
            <X aria-hidden />
          </IconButton>
        </p>
      )}
    </div>
  )
}
