// Toasts. The toaster itself is loaded with the first message; if that fails, the message is shown
// without it.
import { useSyncExternalStore } from 'react'
import { imported } from '../lib/importWithRetry'
import { Optional } from './Optional'

/** Style of a message. */
export type ToastTone = 'plain' | 'success' | 'error'
type ToastOptions = {
  tone?: ToastTone
  action?: { label: string; onClick: () => void }
  /** Duration in milliseconds. */
  duration?: number
  /** Replaces the message with the same id. */
  id?: string
}

type Plain = Pick<ToastOptions, 'action'> & { message: string }

let shown: { code?: typeof import('./Toaster'); plain?: Plain } = {}
const listeners = new Set<() => void>()
let markReady: () => void = () => undefined
const ready = new Promise<void>((resolve) => {
  markReady = resolve
})

function show(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a message: `toast('장바구니에 담았습니다.', { tone: 'success', action: { label: '보기', onClick } })`. */
export async function toast(
  message: string,
  { tone = 'plain', action, duration, id: own }: ToastOptions = {},
): Promise<void> {
  const stays = duration ?? (tone === 'error' ? 6000 : 3500)
  const code = await imported(() => import('./Toaster')).catch(() => undefined)
  if (!code) {
    const plain = { message, action }
    show({ ...shown, plain })
    setTimeout(() => shown.plain === plain && show({ ...shown, plain: undefined }), stays)
    return
  }
  show({ code })
  await ready
  // The same error of several calls is shown once.
  const id = own ?? (tone === 'error' ? message : undefined)
  const { toast: sonner } = code
  const say = { plain: sonner, success: sonner.success, error: sonner.error }[tone]
  say(message, { id, action, duration: stays, position: code.position() })
}

/** Removes all messages, because what they offer no longer applies. */
export function dismissToasts(): void {
  shown.code?.toast.dismiss()
  show({ ...shown, plain: undefined })
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where messages are rendered; the app mounts it once. */
export function Toasts() {
  const { code, plain } = useSyncExternalStore(listen, () => shown)
  return (
    <>
      <Optional>{code && <code.default onReady={markReady} />}</Optional>
      {plain && (
        <div
          role="alert"
          className="fixed inset-x-4 bottom-50 z-60 mx-auto flex w-fit max-w-md items-center gap-3 rounded-lg bg-ink px-4 py-3.5 font-medium text-on-ink text-sm shadow-pop md:bottom-20"
        >
          {plain.message}
          {plain.action && (
            <button type="button" onClick={plain.action.onClick} className="min-h-6 shrink-0 font-bold underline">
              {plain.action.label}
            </button>
          )}
        </div>
      )}
    </>
  )
}
