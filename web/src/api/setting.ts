// The site setting every screen may read: the shop's name and company, its currency, and accounts to look around with.
import { useRead } from './read'

/** What the chrome uses of `GET /api/v1/setting`; the server says more. */
export type Setting = {
  name?: string
  currency?: { code: string }
  company?: {
    name?: string
    ceoName?: string
    registration?: string
    licenseCode?: string
    address?: string
    tel?: string
    email?: string
  }
  demoAccounts?: { username: string; password: string; label?: string }[]
}

/** The setting, read once per visit; answered bare or as `{ setting }`. */
export function useSetting(): Setting {
  const { data } = useRead<Setting & { setting?: Setting }>(
    '/api/v1/setting',
    {},
    { staleTime: Number.POSITIVE_INFINITY, retry: false },
  )
  return data?.setting ?? data ?? {}
}
