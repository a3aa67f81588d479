// Asking before something is done: `if (await confirmDialog({ title: '주문을 취소할까요?' })) …`. The layer is loaded with the first question; where
// it cannot be, the browser asks.
import { type ComponentType, useSyncExternalStore } from 'react'
import { imported } from '../lib/importWithRetry'
import { Optional } from './Optional'

/** A yes-or-no question. */
export type Question = {
  title: string
  text?: string
  yes?: string
  no?: string
  /** The yes-button looks dangerous. */
  danger?: boolean
}

/** The question with the layer that asks it. */
type Pending = Question & { answer: (yes: boolean) => void; Layer: ComponentType<Question & Pick<Pending, 'answer'>> }

let pending: Pending | undefined
const listeners = new Set<() => void>()

function put(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks; a new question answers the one before with no. */
export async function confirmDialog(question: Question): Promise<boolean> {
  pending?.answer(false)
  const code = await imported(() => import('./ConfirmDialog')).catch(() => undefined)
  if (!code) return window.confirm([question.title, question.text].filter(Boolean).join('\n\n'))
  pending?.answer(false)
  return new Promise((resolve) => {
    put({
      ...question,
      Layer: code.default,
      answer: (yes) => {
        put(undefined)
        resolve(yes)
      },
    })
  })
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where questions appear; the app mounts it once. */
export function ConfirmHost() {
  const question = useSyncExternalStore(listen, () => pending)
  if (!question) return null
  const { Layer, ...asked } = question
  return (
    <Optional onFail={() => asked.answer(false)}>
      <Layer {...asked} />
    </Optional>
  )
}
