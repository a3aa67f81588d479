// The pass that forms of guests need where the shop checks against programs (reCAPTCHA, version 3).
import { call } from '../../api/client'

type Widget = {
  ready: (then: () => void) => void
  execute: (siteKey: string, options: { action: string }) => Promise<string>
}

declare global {
  interface Window {
    grecaptcha?: Widget
  }
}

const LOAD_TIMEOUT_MS = 8000

function loadWidget(url: string): Promise<Widget> {
  if (window.grecaptcha) return Promise.resolve(window.grecaptcha)
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    const fail = () => {
      script.remove()
      reject(new Error('the widget does not load'))
    }
    const timer = setTimeout(fail, LOAD_TIMEOUT_MS)
    script.onload = () => {
      const widget = window.grecaptcha
      if (!widget) return fail()
      widget.ready(() => {
        clearTimeout(timer)
        resolve(widget)
      })
    }
    script.onerror = fail
    document.head.append(script)
  })
}

/** A pass for one form; empty where the shop does not check. Without a widget the server decides about an empty response. */
export async function guestPass(action: string): Promise<string> {
  const { enabled, siteKey, scriptUrl } = await call('GET', '/api/plugins/recaptcha')
  if (!enabled) return ''
  const response = await loadWidget(scriptUrl)
    .then((widget) => widget.execute(siteKey, { action }))
    .catch(() => '')
  const { pass } = await call('POST', '/api/plugins/recaptcha', { body: { response } })
  return pass
}
