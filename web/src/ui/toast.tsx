// Short messages at the edge of the screen. The toaster itself is loaded with the first message.
import { lazy, Suspense, useSyncExternalStore } from 'react'

/** How a message looks. */
export type ToastTone = 'plain' | 'success' | 'error'
type ToastOptions = {
  tone?: ToastTone
  action?: { label: string; onClick: () => void }
  /** How long it stays, in milliseconds. */
  duration?: number
  /** Takes the place of the message of the same id. */
  id?: string
}

let wanted = false
const listeners = new Set<() => void>()
let markReady: () => void = () => undefined
const ready = new Promise<void>((resolve) => {
  markReady = resolve
})

/** Shows a message: `toast('장바구니에 담았습니다.', { tone: 'success', action: { label: '보기', onClick } })`. */
export async function toast(
  message: string,
  { tone = 'plain', action, duration, id: own }: ToastOptions = {},
): Promise<void> {
  wanted = true
  for (const listener of listeners) listener()
  const [{ toast: sonner }] = await Promise.all([import('sonner'), ready])
  const show = { plain: sonner, success: sonner.success, error: sonner.error }[tone]
  // One trouble that several calls meet is told once.
  const id = own ?? (tone === 'error' ? message : undefined)
  show(message, { id, action, duration: duration ?? (tone === 'error' ? 6000 : 3500) })
}

const Toaster = lazy(() => import('./Toaster'))

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where messages appear; the app mounts it once. */
export function Toasts() {
  const mounted = useSyncExternalStore(listen, () => wanted)
  return <Suspense>{mounted && <Toaster onReady={markReady} />}</Suspense>
}
