// Attached files, as links.
import type { PrivateFile } from './api'

export function AttachmentLinks({ files }: { files: readonly PrivateFile[] }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="첨부파일" className="grid gap-1 text-sm">
      {files.map(({ _id, name, url }) => (
        <li key={_id}>
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-9 max-w-full items-center gap-2 underline underline-offset-4"
          >
            <span className="shrink-0 text-ink-3">첨부</span>
            <span className="truncate">{name || '첨부파일'}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
