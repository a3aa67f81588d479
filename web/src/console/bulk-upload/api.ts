// Uploads of products: started from a preview, carried out on the server.
import { call } from '../../api/client'
import { invalidator } from '../../api/query'
import type { components } from '../../api/schema.gen'

export const UPLOADS = '/api/console/imports'
export const UPLOAD = '/api/console/imports/{id}'
export const REFUSED_ROWS = '/api/console/imports/{id}/refused'
export const FORM = '/api/console/imports/forms/{kind}'

type S = components['schemas']
export type Upload = S['Import']
export type DuplicatePolicy = S['ImportExisting']

/** How often an upload under way is looked at again, in milliseconds. */
export const POLL_MS = 1000

export const invalidateUploads = invalidator([UPLOADS, UPLOAD])

/** Starts an upload; the same one, however often it is asked for. */
export const startUpload = (body: S['ImportRequest']) => call('POST', UPLOADS, { body })

/** Stops an upload, or lets it go on. */
export const setStopped = (id: string, stopped: boolean) => call('PUT', UPLOAD, { path: { id }, body: { stopped } })

/** Its rows are still to be done. */
export const isGoing = ({ state }: Pick<Upload, 'state'>): boolean => state === 'running'
