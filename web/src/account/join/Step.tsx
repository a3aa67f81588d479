// Shared by the join steps: their frame, and the kind of member as a query parameter.
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { joinWords } from '../../features/login/joinWords'
import { cn } from '../../lib/cn'

export type Kind = 'PERSON' | 'COMPANY'

/** History state that the submitted form passes to the last step. */
export const JOINED = { joined: true }

/** The chosen kind; a person unless the address says company. */
export function useKind(): Kind {
  const [params] = useSearchParams()
  return params.get('type') === 'COMPANY' ? 'COMPANY' : 'PERSON'
}

export function Step({ at, title, text, children }: { at: number; title: string; text?: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto w-full max-w-[32rem] px-5 pt-12 md:pt-20">
      <ol aria-label={joinWords.title} className="mb-8 flex gap-1.5">
        {joinWords.steps.map((name, i) => (
          <li key={name} aria-current={i === at ? 'step' : undefined} className="flex-1">
            <span className={cn('block h-1 rounded-full', i <= at ? 'bg-ink' : 'bg-line')} />
            <span className={cn('mt-2 block text-xs', i === at ? 'font-semibold text-ink' : 'text-ink-3')}>{name}</span>
          </li>
        ))}
      </ol>
      <h1 className="font-extrabold text-3xl">{title}</h1>
      {text && <p className="mt-2 text-ink-2">{text}</p>}
      <div className="mt-8">{children}</div>
    </main>
  )
}
