// Asking before something is done: `if (await ask({ title: '주문을 취소할까요?' })) …`. The layer is loaded with the first question.
import { lazy, Suspense, useSyncExternalStore } from 'react'

/** A yes-or-no question. */
export type Question = {
  title: string
  text?: string
  yes?: string
  no?: string
  /** The yes-button looks dangerous. */
  danger?: boolean
}

type Pending = Question & { answer: (yes: boolean) => void }

let pending: Pending | undefined
const listeners = new Set<() => void>()

function put(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks; a new question answers the one before with no. */
export function ask(question: Question): Promise<boolean> {
  pending?.answer(false)
  return new Promise((resolve) => {
    put({
      ...question,
      answer: (yes) => {
        put(undefined)
        resolve(yes)
      },
    })
  })
}

const AskDialog = lazy(() => import('./AskDialog'))

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where questions appear; the app mounts it once. */
export function Questions() {
  const question = useSyncExternalStore(listen, () => pending)
  return <Suspense>{question && <AskDialog {...question} />}</Suspense>
}
