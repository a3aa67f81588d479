// A highlighted message in the page: neutral, success, warning or error.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'

const LOOKS = {
  plain: { icon: Info, className: 'bg-sunken text-ink-2' },
  info: { icon: Info, className: 'bg-info-soft text-info' },
  good: { icon: CircleCheck, className: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, className: 'bg-warning-soft text-warning' },
  bad: { icon: CircleAlert, className: 'bg-danger-soft text-danger' },
}

type NoticeProps = { tone?: keyof typeof LOOKS; action?: ReactNode; className?: string; children: ReactNode }

export function Notice({ tone = 'plain', action, className, children }: NoticeProps) {
  const { icon: Icon, className: look } = LOOKS[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={cn('flex items-start gap-2.5 rounded-md px-4 py-3 text-sm', look, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}
