// An amount with an explanation: a button that opens the events and rules it came from.
import { createContext, type ReactNode, useContext, useState } from 'react'
import { ko } from '../../i18n/ko'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import type { Explainable } from '../types'
import { explainWords } from './words'

const Layer = optional(() => import('./ExplanationDialog'), {
  onFail: ({ onClose }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
})

/** The subject of the amounts on a page; undefined: no explanations. */
export type Subject = {
  subject: Explainable
  id: string
  /** The state after this position of the log. */
  position?: number | undefined
}

export const ExplanationSubject = createContext<Subject | undefined>(undefined)

type ExplainableAmountProps = {
  /** Name of the amount, e.g. `payable`, `fares.0.fare`. */
  amount: string
  /** Another subject than the page's. */
  of?: Subject
  children: ReactNode
}

export function ExplainableAmount({ amount, of, children }: ExplainableAmountProps) {
  const page = useContext(ExplanationSubject)
  const [open, setOpen] = useState(false)
  const subject = of ?? page
  if (!subject) return children
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="cursor-help rounded-xs underline decoration-dotted decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {children}
        <span className="sr-only"> {explainWords.open}</span>
      </button>
      {open && <Layer of={subject} amount={amount} onClose={() => setOpen(false)} />}
    </>
  )
}
