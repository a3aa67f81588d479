// Shows a notice while the connection is down.
import { TriangleAlert } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { ko } from '../i18n/ko'

function listen(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

export function Offline() {
  const online = useSyncExternalStore(listen, () => navigator.onLine)
  if (online) return null
  return (
    <p
      role="status"
      className="fixed inset-x-4 bottom-36 z-40 mx-auto flex w-fit items-center gap-2 rounded-full bg-ink px-4 py-2 text-on-ink text-sm shadow-pop md:bottom-6"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      {ko.state.offline}
    </p>
  )
}
