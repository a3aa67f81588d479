// Who receives points: by levels, by a list of usernames, or chosen one by one.
import { toApiError } from '../../api/errors'
import type { ReceiversBody } from './types'
import { benefitWords } from './words'

const t = benefitWords.receivers

/** The most that receive points in one command. */
export const RECEIVERS_MOST = 10_000

export type ReceiversValue = {
  by: 'levels' | 'usernames' | 'users'
  levels: readonly string[]
  /** As it was typed or pasted. */
  text: string
  users: readonly string[]
}

export const NO_RECEIVERS: ReceiversValue = { by: 'levels', levels: [], text: '', users: [] }

/** The usernames of a text: by lines, columns, commas or spaces, each once. */
export function usernamesOf(text: string): { usernames: string[]; repeated: number } {
  const all = text.split(/[\s,;]+/).filter((word) => word !== '')
  const usernames = [...new Set(all)]
  return { usernames, repeated: all.length - usernames.length }
}

/** What is wrong with it. */
export function receiversFault({ by, levels, text, users }: ReceiversValue): string | undefined {
  if (by === 'levels') return levels.length === 0 ? t.noLevels : undefined
  const count = by === 'users' ? users.length : usernamesOf(text).usernames.length
  if (count === 0) return by === 'users' ? t.noUsers : t.noUsernames
  return count > RECEIVERS_MOST ? t.tooMany(RECEIVERS_MOST) : undefined
}

/** As it is sent. */
export function receiversBody({ by, levels, text, users }: ReceiversValue): ReceiversBody {
  if (by === 'levels') return { levels: [...levels] }
  return by === 'users' ? { _users: [...users] } : { usernames: usernamesOf(text).usernames }
}

export type UnknownMember = { index: number; value: string }

/** The members that a refusal says are not known. */
export function unknownMembers(thrown: unknown): readonly UnknownMember[] {
  const { code, details } = toApiError(thrown)
  const { unknown = [] } = (details ?? {}) as { unknown?: UnknownMember[] }
  return code === 'unknown_members' ? unknown : []
}

/** The text without these usernames. */
export function without(text: string, unknown: readonly UnknownMember[]): string {
  const gone = new Set(unknown.map(({ value }) => value))
  return usernamesOf(text)
    .usernames.filter((one) => !gone.has(one))
    .join('\n')
}
