// Confirmations: `if (await confirmDialog({ title: '주문을 취소할까요?' })) …`. The dialog is loaded with the first one; if that
// fails, the browser's own is used.
import { type ComponentType, useSyncExternalStore } from 'react'
import { imported } from '../lib/importWithRetry'
import { Optional } from './Optional'

/** A yes-or-no question. */
export type Question = {
  title: string
  text?: string
  yes?: string
  no?: string
  /** The yes-button is styled as dangerous. */
  danger?: boolean
}

/** The question with the component that shows it. */
type Pending = Question & { answer: (yes: boolean) => void; Layer: ComponentType<Question & Pick<Pending, 'answer'>> }

let pending: Pending | undefined
const listeners = new Set<() => void>()

function put(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks for confirmation; a new question answers the previous one with no. */
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

/** Where confirmations are rendered; the app mounts it once. */
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
