// The couriers a parcel may go with; the site setting's answer lists them.
import { useRead } from '../api/read'

export type Courier = { code: string; name: string }

export function useCouriers(): readonly Courier[] {
  const { data } = useRead<{ couriers?: Courier[] }>(
    '/api/v1/setting',
    {},
    { staleTime: Number.POSITIVE_INFINITY, retry: false },
  )
  return data?.couriers ?? []
}

export const courierName = (couriers: readonly Courier[], code: string): string =>
  couriers.find((courier) => courier.code === code)?.name ?? code
