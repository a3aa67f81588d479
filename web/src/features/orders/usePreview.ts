// The price preview of an order form. The server always computes it; no screen adds up amounts itself.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { OrderForm } from '../../api/types'

export const PREVIEW = '/api/v1/shop/orders/preview'

/** The preview of an order form, with the coupons on `offers` for its first line; while a new one is loading the last one stays (`isPlaceholderData`), shown dimmed. */
export function usePreview(
  form: OrderForm,
  { enabled = true, version = '', offers }: { enabled?: boolean; version?: string; offers?: true } = {},
) {
  const empty = (form._carts?.length ?? 0) + (form.carts?.length ?? 0) === 0
  return useQuery({
    // A read, though its method is POST; `version` distinguishes different contents of the same cart ids.
    queryKey: ['post', PREVIEW, form, version, offers],
    queryFn: ({ signal }) => call('POST', PREVIEW, { query: { offers }, body: form, signal }),
    enabled: enabled && !empty,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
