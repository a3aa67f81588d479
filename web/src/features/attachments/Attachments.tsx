// Pictures and PDF documents attached to a form, at most five.
import { Paperclip, X } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { toApiError } from '../../api/errors'
import { buttonClass, IconButton } from '../../ui/Button'
import { toast } from '../../ui/toast'
import { MAX_ATTACHMENTS, type PrivateFile, uploadAttachment } from './api'

type AttachmentsProps = {
  files: readonly PrivateFile[]
  addLabel: string
  /** Applied to the files at that time: others may have been removed during an upload. */
  onChange: (change: (files: readonly PrivateFile[]) => PrivateFile[]) => void
  /** Uploads that began (1) or ended (-1); a form is not sent meanwhile. */
  onUploading: (change: 1 | -1) => void
}

export function Attachments({ files, addLabel, onChange, onUploading }: AttachmentsProps) {
  const inputId = useId()
  const [isUploading, setUploading] = useState(false)
  const isFull = files.length >= MAX_ATTACHMENTS
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.target.files ?? [])].slice(0, MAX_ATTACHMENTS - files.length)
    event.target.value = ''
    setUploading(true)
    onUploading(1)
    // Sequential, as a phone's connection is slow.
    for (const file of chosen) {
      try {
        const uploaded = await uploadAttachment(file)
        onChange((now) => [...now, uploaded])
      } catch (thrown) {
        void toast(toApiError(thrown).told, { tone: 'error' })
      }
    }
    onUploading(-1)
    setUploading(false)
  }
  return (
    <>
      <ul className="grid gap-1">
        {files.map(({ _id, name }) => (
          <li key={_id} className="flex items-center gap-2 rounded-md bg-sunken pl-3">
            <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="min-w-0 flex-1 truncate text-sm">{name || '첨부파일'}</span>
            <IconButton
              label={`${name || '첨부파일'} 삭제`}
              onClick={() => onChange((now) => now.filter((one) => one._id !== _id))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="mt-2">
        <input
          id={inputId}
          type="file"
          accept="image/jpeg,image/png,image/webp,application/pdf"
          multiple
          disabled={isFull || isUploading}
          onChange={choose}
          className="peer sr-only"
        />
        <label
          htmlFor={inputId}
          className={`${buttonClass({ variant: 'outline' })} cursor-pointer peer-focus-visible:outline-2 peer-disabled:pointer-events-none peer-disabled:opacity-40`}
        >
          <Paperclip aria-hidden />
          {isUploading ? '올리는 중' : isFull ? `${MAX_ATTACHMENTS}개까지 올릴 수 있습니다` : addLabel}
        </label>
      </div>
    </>
  )
}
