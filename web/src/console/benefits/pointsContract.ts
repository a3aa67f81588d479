// The calls of members' points, typed by hand until openapi.json has them (issue 26). Amounts are whole hundredths.
import type { components } from '../../api/schema.gen'

type Summary = components['schemas']['Summary']

/** One grant of points to one member. */
export type PointGrant = {
  _id: string
  _user: string
  /** Nothing once the member left. */
  username?: string | null
  name: string
  /** What was granted. */
  amounts: number
  /** What was spent of it and did not come back. */
  amount_used: number
  /** What is left of it. */
  amount_left: number
  /** What the member can spend in all now. */
  remain: number
  /** `taken`: staff or a return took something of it. */
  flags: { expired: boolean; taken: boolean; earned: boolean; byStaff: boolean }
  /** As the member reads it. */
  reason: string
  _order?: string | null
  orderNo?: string | null
  /** The bulk grant it was a part of. */
  _grant?: string | null
  createdAt: string
  /** The first moment it can no longer be spent at. */
  expiresAt: string
}

export type GrantState = 'LEFT' | 'USED_UP' | 'EXPIRED'

/** Who receives something: named in exactly one way. */
export type ReceiversBody = { _users?: string[]; usernames?: string[]; levels?: string[] }

/** Points for many members in one command. */
export type BulkGrant = {
  _id: string
  /** As the members read it. */
  memo: string
  /** What staff note on it for each other. */
  note: string
  members: number
  /** How many of them have it by now. */
  given: number
  /** How many had left when it was their turn. */
  leftOut: number
  /** For each. */
  amounts: number
  /** Given so far. */
  amount_total: number
  amount_used: number
  amount_left: number
  remain: number
  /** `done`: nothing is left to give, or to take back once it was stopped. */
  flags: { done: boolean; stopped: boolean }
  createdAt: string
  createdBy?: { _id: string; name?: string | null } | null
  expiresAt: string
}

/** What a bulk grant would be. */
export type BulkGrantTrial = { members: number; amounts: number; amount_total: number }

/** What members can still spend, as of the end of a day, from the log. */
export type Liability = {
  at: string
  granted: number
  spent: number
  expired: number
  taken: number
  left: number
  byMonth: { month: string; expires: number }[]
}

type Json<T> = { content: { 'application/json': T } }
type Of = { path: { id: string } }
type PageOf<T> = { summary: Summary } & T

declare module '../../api/schema.gen' {
  interface paths {
    '/api/console/users/points': {
      get: {
        parameters: {
          query?: {
            _user?: string
            _grant?: string
            state?: GrantState
            from?: string
            to?: string
          }
        }
        responses: { 200: Json<{ summary: Summary & { amount_left: number }; points: PointGrant[] }> }
      }
      post: {
        requestBody: Json<{ _user: string; amounts: number; memo: string; expiresAt?: string }>
        responses: { 201: Json<{ point: PointGrant }> }
      }
    }
    '/api/console/users/points/{id}': {
      get: { parameters: Of; responses: { 200: Json<{ point: PointGrant }> } }
      put: {
        parameters: Of
        requestBody: Json<{ expiresAt: string; memo: string }>
        responses: { 200: Json<{ point: PointGrant }> }
      }
      delete: { parameters: Of & { query?: { memo: string } }; responses: { 200: Json<{ point: PointGrant }> } }
    }
    '/api/console/shop/points': {
      get: { parameters: object; responses: { 200: Json<PageOf<{ points: BulkGrant[] }>> } }
      post: {
        parameters: { query?: { dryRun?: boolean } }
        requestBody: Json<ReceiversBody & { amounts: number; memo: string; expiresAt?: string }>
        responses: { 201: Json<{ point?: BulkGrant; preview?: BulkGrantTrial }> }
      }
    }
    '/api/console/shop/points/{id}': {
      get: { parameters: Of; responses: { 200: Json<{ point: BulkGrant }> } }
      put: { parameters: Of; requestBody: Json<{ memo: string }>; responses: { 200: Json<{ point: BulkGrant }> } }
      delete: { parameters: Of & { query?: { memo: string } }; responses: { 200: Json<{ point: BulkGrant }> } }
    }
    '/api/console/shop/points/liability': {
      get: { parameters: { query?: { at?: string } }; responses: { 200: Json<Liability> } }
    }
  }
}
