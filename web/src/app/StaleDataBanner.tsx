// Reads stale responses (marked `X-Stale: 1`) again at 0.5, 1, 2 and 4 s, with a banner meanwhile. Loaded with the first of them.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { forgetStale, keyReadsPath, onFreshness, STALE_RETRIES_MS, stalePaths } from '../api/staleReads'

type State = 'fresh' | 'reflecting' | 'gaveUp'

/** How long the banner is shown. */
const TOLD_MS = 8000

export default function StaleDataBanner() {
  const client = useQueryClient()
  const [state, setState] = useState<State>('fresh')

  useEffect(() => {
    /** `timer` of the next retry; undefined while reading. */
    const tries = new Map<string, { count: number; timer?: ReturnType<typeof setTimeout> }>()
    const settle = () => {
      const counts = [...tries.values()].map(({ count }) => count)
      const isLast = counts.every((count) => count > STALE_RETRIES_MS.length)
      setState(counts.length === 0 ? 'fresh' : isLast ? 'gaveUp' : 'reflecting')
    }
    const forget = (path: string) => {
      clearTimeout(tries.get(path)?.timer)
      forgetStale(path)
      if (tries.delete(path)) settle()
    }
    /** Sets the timer of the next retry, or of hiding the final notice. */
    const wait = (path: string) => {
      const known = tries.get(path)
      if (known?.timer !== undefined) return
      const count = (known?.count ?? 0) + 1
      const delay = STALE_RETRIES_MS[count - 1]
      const timer = setTimeout(() => (delay === undefined ? forget(path) : void again(path, count)), delay ?? TOLD_MS)
      tries.set(path, { count, timer })
      settle()
    }
    const again = async (path: string, count: number) => {
      const reads = { type: 'active', predicate: (query: Query) => keyReadsPath(query.queryKey, path) } as const
      // The page that showed it is gone.
      if (client.getQueryCache().findAll(reads).length === 0) return forget(path)
      const reading = { count }
      tries.set(path, reading)
      await client.refetchQueries(reads)
      // Neither fresh nor stale: the call failed or was aborted.
      if (tries.get(path) === reading) wait(path)
    }
    const stop = onFreshness((path, stale) => (stale ? wait(path) : forget(path)))
    for (const path of stalePaths()) wait(path)
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
      {state === 'reflecting' ? '반영 중…' : '아직 반영되지 않았습니다. 잠시 후 새로고침해 주세요.'}
    </p>
  )
}
