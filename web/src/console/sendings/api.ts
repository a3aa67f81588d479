// Sendings: where they are read and changed, and when they are read again.
import { call } from '../../api/client'
import { invalidator } from '../../api/query'
import type { components } from '../../api/schema.gen'

export const SENDINGS = '/api/console/shop/alarms'
export const SENDING = '/api/console/shop/alarms/{id}'
export const SKIPPED = '/api/console/shop/alarms/{id}/skipped'
const STOP = '/api/console/shop/alarms/{id}/stop'

export type Sending = components['schemas']['SendingView']
export type SendingForm = components['schemas']['SendingForm']
export type Channel = Sending['channel']

export const invalidateSendings = invalidator([SENDINGS, '/api/console/users/alarms', '/api/console/messages'])

export const isGoing = ({ state }: Pick<Sending, 'state'>): boolean => state === 'PLANNED' || state === 'SENDING'

const OPEN = ['REQUESTED', 'SENDING']

/** Whether parts are left to send, or the outcome of a message is not known yet. */
export const isOpen = ({ sending, messages }: components['schemas']['SendingDetailAnswer']): boolean =>
  isGoing(sending) || messages.some(({ state }) => OPEN.includes(state))

/** Whether there are alarms to take out of the drawers. */
export const canWithdraw = ({ channel, state }: Sending): boolean => channel === 'ALARM' && state !== 'WITHDRAWN'

export const countReceivers = async (body: SendingForm) => {
  const answer = await call('POST', SENDINGS, { query: { dryRun: true }, body })
  return answer.preview
}
export const stopSending = (id: string, memo: string): Promise<unknown> =>
  call('POST', STOP, { path: { id }, query: { memo } })
export const withdrawSending = (id: string, memo: string): Promise<unknown> =>
  call('DELETE', SENDING, { path: { id }, query: { memo } })
export const reviseSending = (id: string, body: components['schemas']['SendingChangeForm']): Promise<unknown> =>
  call('PUT', SENDING, { path: { id }, body })

export const POLL_MS = 2000
