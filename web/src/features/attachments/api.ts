// Private files that members attach to what they write to the shop.
import { call } from '../../api/client'
import type { components } from '../../api/schema.gen'

export type PrivateFile = components['schemas']['PrivateFile']

export const MAX_ATTACHMENTS = 5
export const UPLOADING = '파일을 올리고 있습니다. 잠시 후 다시 눌러 주세요.'

export async function uploadAttachment(chosen: File): Promise<PrivateFile> {
  const body = new FormData()
  body.append('file', chosen, chosen.name)
  const { file } = await call('POST', '/api/v1/files', { body })
  return { _id: file._id, name: file.name, url: file.url }
}
