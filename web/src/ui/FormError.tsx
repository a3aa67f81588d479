// The error of a form as a whole.
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'

export function FormError({ className, children }: { className?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p role="alert" className={cn('rounded-md bg-danger-soft px-4 py-3 text-danger text-sm', className)}>
      {children}
    </p>
  )
}
