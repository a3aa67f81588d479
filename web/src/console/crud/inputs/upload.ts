// Uploads of a form: stored on the server at once, referenced by the record when it is saved.
import { call } from '../../../api/client'

/** A file stored on the server. */
export type StoredFile = { _id: string; url: string; name: string; variants?: { width: number; url: string }[] }

export async function upload(file: File, as: 'image' | 'file' = 'image'): Promise<StoredFile> {
  const body = new FormData()
  body.append(as, file, file.name)
  return (await call('POST', '/api/console/files', { body })).file
}

/** A picture inside a text. */
export async function uploadPhoto(file: File): Promise<string> {
  const body = new FormData()
  body.append('image', file, file.name)
  return (await call('POST', '/api/editor/photo', { body })).url
}

/** A file's name as a first description of the picture: `여름_배너.png` -> `여름 배너`. */
export const altOf = (name: string): string =>
  name
    .replace(/\.[^.]+$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
