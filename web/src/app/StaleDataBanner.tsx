// Reads stale answers again at 0.5, 1, 2 and 4 s and says so meanwhile (the server marked them `X-Stale: 1`). Loaded with the first one.
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
    /** `timer`: of the next try; undefined while it is read. */
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
    /** Sets the next try, or the end of the word that it was the last one. */
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
      // Neither fresh nor stale: the call failed or was given up.
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
