// Logs searches and clicks on tags.
import { call } from '../../api/client'

export const LOGS = '/api/v1/shop/logs'

export type LogType = 'SEARCH' | 'TAG'

/** Logs a search or a click on a tag; best effort, failures are ignored. */
const logTerm = (type: LogType, value: string): Promise<void> =>
  call('POST', LOGS, { body: { type, value } }).then(
    () => undefined,
    () => undefined,
  )
export const logSearch = (value: string): Promise<void> => logTerm('SEARCH', value)
export const logTag = (value: string): Promise<void> => logTerm('TAG', value)
