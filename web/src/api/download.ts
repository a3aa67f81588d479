// Downloads files that need the token.
import { type CallOptions, decoded, requestOf, send } from './client'

/** Downloads a file with the name from `Content-Disposition`. */
export async function download(template: string, options: CallOptions = {}): Promise<{ blob: Blob; name: string }> {
  const response = await send(requestOf('GET', template, options))
  const disposition = response.headers.get('Content-Disposition') ?? ''
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const name = coded ? decoded(coded) : /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  return { blob: await response.blob(), name: name ?? 'download' }
}
