// Placeholders for content: empty, error, or skeleton.
import { PackageOpen, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { Button } from './Button'

type StateProps = { icon?: ReactNode; title?: string; text?: ReactNode; action?: ReactNode; className?: string }

export function EmptyState({ icon, title = ko.state.empty, text, action, className }: StateProps) {
  return (
    <div className={cn('flex flex-col items-center px-6 py-16 text-center', className)}>
      <span aria-hidden className="mb-4 text-line-strong [&_svg]:size-10 [&_svg]:stroke-[1.4]">
        {icon ?? <PackageOpen />}
      </span>
      <p className="font-semibold text-lg">{title}</p>
      {text && <div className="mt-1 max-w-md text-ink-3">{text}</div>}
      {action && <div className="mt-6 flex gap-2">{action}</div>}
    </div>
  )
}

/** What an error may contain; `ApiError` fits. */
type ErrorDetails = { message?: string; requestId?: string }

type ErrorStateProps = { error: unknown; title?: string; onRetry?: () => void; className?: string }

/** A failed request: the server's message, the number to report to the shop, and a retry. */
export function ErrorState({ error, title = ko.state.errorTitle, onRetry, className }: ErrorStateProps) {
  const details: ErrorDetails = typeof error === 'object' && error !== null ? error : {}
  return (
    <div role="alert" className={cn('flex flex-col items-center px-6 py-16 text-center', className)}>
      <TriangleAlert aria-hidden className="mb-4 size-10 stroke-[1.4] text-danger" />
      <p className="font-semibold text-lg">{title}</p>
      <p className="mt-1 max-w-md text-ink-2">{details.message || ko.state.errorText}</p>
      {details.requestId && <p className="mt-1 text-ink-3 text-sm">{ko.state.requestId(details.requestId)}</p>}
      {onRetry && (
        <Button variant="outline" className="mt-6" onClick={onRetry}>
          {ko.action.retry}
        </Button>
      )}
    </div>
  )
}

/** The grey skeleton of loading content: give it the size of that content. */
export function Skeleton({ className, ratio }: { className?: string /** Width / height. */; ratio?: number }) {
  return (
    <span
      aria-hidden
      className={cn('block animate-pulse rounded-sm bg-line', className)}
      style={{ aspectRatio: ratio }}
    />
  )
}

/** Announces loading once, around skeletons. */
export function Loading({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{ko.state.loading}</span>
      {children}
    </div>
  )
}
