// Payment: the server prepares the attempt, the gateway's script opens its window. The browser returns to /shop/result.

import { call } from '../../api/client'
import { ApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import type { components } from '../../api/schema.gen'
import type { PayMethod } from '../../api/types'
import { isText, sessionItem } from '../../lib/storage'

type PayWindow = components['schemas']['Window']
type RequestPay = (options: Record<string, unknown>) => void
type Service = { requestPay: RequestPay }
declare global {
  interface Window {
    AUTHNICE?: Service
  }
}

export type PayConfig = {
  clientId: string
  scriptUrl: string
  methods: PayMethod[]
  banks: { code: string; name: string }[]
  depositHours: number
  sandbox: boolean
}

export const PAY_CONFIG = '/api/plugins/nicepayments/config'

const UNREACHABLE = '결제창을 열지 못했습니다. 잠시 후 다시 시도해 주세요.'

const CLOSED = '결제창이 닫혔습니다.'

/** Calls back when going back from the payment window restores the page from the bfcache. */
const whenBack = (cameBack: () => void): void =>
  window.addEventListener('pageshow', ({ persisted }) => persisted && cameBack(), { once: true })

const paying = sessionItem('jangbu.paying', isText)

/** The order whose payment window was opened last in this tab: a closed window returns without naming its order. */
export const lastOpenedPayment = paying.read

let loading: { url: string; service: Promise<Service> } | undefined

function loadService(url: string): Promise<Service> {
  if (loading?.url === url) return loading.service
  const service = new Promise<Service>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    const fail = () => {
      loading = undefined
      script.remove()
      reject(new ApiError(0, 'pay_script', UNREACHABLE))
    }
    script.onload = () => (window.AUTHNICE ? resolve(window.AUTHNICE) : fail())
    script.onerror = fail
    document.head.append(script)
  })
  loading = { url, service }
  return service
}

/** Prepares the next payment of an order, or of the fee of an exchange in it (`claim`), and opens its window. */
export async function payOrder(order: string, method?: PayMethod, claim?: string): Promise<never> {
  paying.keep(order)
  const { payment } = await call('POST', '/api/plugins/nicepayments/generate/{type}', {
    path: { type: 'order' },
    headers: guestOrderHeaders(order),
    body: { _order: order, _claim: claim, method },
  })
  return openPayWindow(order, payment)
}

/**
 * Opens the window of a prepared payment. On success the browser leaves this page and the promise stays pending; it settles (with the
 * reason) only if the window failed to open or was left.
 */
export async function openPayWindow(order: string, payment: PayWindow): Promise<never> {
  paying.keep(order)
  const { _id: _, scriptUrl, ...options } = payment
  const service = await loadService(scriptUrl)
  return new Promise<never>((_resolve, reject) => {
    whenBack(() => reject(new ApiError(0, 'window_closed', CLOSED)))
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
    try {
      service.requestPay({
        ...given,
        fnError: (told: { errorMsg?: string; msg?: string }) =>
          reject(new ApiError(0, 'pay_window', told.errorMsg ?? told.msg ?? UNREACHABLE)),
      })
    } catch {
      reject(new ApiError(0, 'pay_window', UNREACHABLE))
    }
  })
}
