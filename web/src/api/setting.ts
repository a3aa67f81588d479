// The site setting every screen may read: the shop's name and company, its currency, and accounts to look around with.
import { useRead } from './read'

/** What the chrome uses of `GET /api/v1/setting`; the server says more. */
export type Setting = {
  name?: string
  /** `step`: hundredths that roundings go to multiples of. */
  currency?: { code: string; step?: number }
  company?: {
    name?: string
    ceoName?: string
    registration?: string
    licenseCode?: string
    address?: string
    tel?: string
    email?: string
  }
  demoAccounts?: { username: string; password: string; role?: string }[]
  couriers?: { code: string; name: string }[]
}

/** The setting with what stands beside it in the answer, read once per visit. */
export function useSetting(): Setting {
  const { data } = useRead('/api/v1/setting', {}, { staleTime: Number.POSITIVE_INFINITY, retry: false })
  return { ...data, ...data?.setting }
}

/** A courier's name by its code, as sellers register it with a tracking number. */
export function useCourierName(): (code: string) => string {
  const { couriers = [] } = useSetting()
  return (code) => couriers.find((courier) => courier.code === code)?.name ?? code
}
