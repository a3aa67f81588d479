// The public site setting: the shop's name and company, its currency, demo accounts, couriers.
import { useEffect, useState } from 'react'
import { initialSetting } from '../../api/initialData'
import { useApiQuery } from '../../api/query'
import { type CurrencySetting, setCurrency } from '../../lib/money'

/** The fields of `GET /api/v1/setting` that the frame uses; the response has more. */
export type Setting = {
  name?: string
  currency?: CurrencySetting
  company?: {
    name?: string
    ceoName?: string
    registration?: string
    licenseCode?: string
    address?: string
    tel?: string
    email?: string
    bankAccount?: string
  }
  demoAccounts?: { username: string; password: string; role?: string }[]
  couriers?: { code: string; name: string; numbered?: boolean }[]
}

/** The setting with the other data of its response, read once per visit. */
export function useSetting(): Setting {
  const { data } = useApiQuery('/api/v1/setting', {}, { staleTime: Number.POSITIVE_INFINITY, retry: false })
  return { ...data, ...data?.setting }
}

/** Before the first render: takes the currency embedded in the page. */
export function takeCurrencyFromPage(): void {
  const page = initialSetting() as { setting?: Setting } | undefined
  const currency = page?.setting?.currency
  if (currency) setCurrency(currency)
}

/** A number that grows when the currency changes; used as a key, since amounts are formatted while rendering. */
export function useCurrencyEdition(): number {
  const { currency } = useSetting()
  const [edition, setEdition] = useState(0)
  useEffect(() => {
    if (currency && setCurrency(currency)) setEdition((now) => now + 1)
  }, [currency])
  return edition
}

/** A courier's name by its code, as sellers register it with a tracking number. */
export function useCourierName(): (code: string) => string {
  const { couriers = [] } = useSetting()
  return (code) => couriers.find((courier) => courier.code === code)?.name ?? code
}
