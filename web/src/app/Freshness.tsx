// Reads stale answers again at 0.5, 1, 2 and 4 s and says so meanwhile (the server marked them `X-Stale: 1`).
import { useQueryClient } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onFreshness, readsPath, STALE_RETRIES_MS } from '../api/stale'
import { ko } from '../i18n/ko'

type State = 'fresh' | 'reflecting' | 'gaveUp'

export function Freshness() {
  const client = useQueryClient()
  const [state, setState] = useState<State>('fresh')

  useEffect(() => {
    const tries = new Map<string, { count: number; timer: ReturnType<typeof setTimeout> | undefined }>()
    const settle = () => {
      const rest = [...tries.values()]
      setState(rest.length === 0 ? 'fresh' : rest.every((one) => one.timer === undefined) ? 'gaveUp' : 'reflecting')
    }
    const stop = onFreshness((path, stale) => {
      const known = tries.get(path)
      if (!stale) {
        if (!known) return
        clearTimeout(known.timer)
        tries.delete(path)
        return settle()
      }
      if (known?.timer !== undefined) return
      const count = known?.count ?? 0
      const delay = STALE_RETRIES_MS[count]
      if (delay === undefined) return settle()
      const one = {
        count: count + 1,
        timer: setTimeout(() => {
          one.timer = undefined
          if (one.count === STALE_RETRIES_MS.length) settle()
          void client.refetchQueries({ type: 'active', predicate: (query) => readsPath(query.queryKey, path) })
        }, delay) as ReturnType<typeof setTimeout> | undefined,
      }
      tries.set(path, one)
      settle()
    })
    return () => {
      stop()
      for (const { timer } of tries.values()) clearTimeout(timer)
    }
  }, [client])

  if (state === 'fresh') return null
  return (
    <p
      role="status"
      className="fixed inset-x-0 bottom-20 z-40 mx-auto flex w-fit items-center gap-2 rounded-full bg-ink px-4 py-2 text-on-ink text-sm shadow-pop md:bottom-6"
    >
      {state === 'reflecting' && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {state === 'reflecting' ? ko.state.reflecting : ko.state.notReflected}
    </p>
  )
}
