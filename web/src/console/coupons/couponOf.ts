// The coupon of a form.
import { type Document, fromDraft } from '../crud/formState'
import type { ResourceSchema } from '../crud/schema'
import { onlyWhatApplies } from './rules'

/** These are kept as the server has them, not as text (crud/sharedFields), or are no part of a new coupon. */
const AS_THEY_ARE = ['unit', 'value', 'limit']
const STAMPS = ['_id', '_issuer', 'version', 'removed', 'createdAt', 'updatedAt']

/** The coupon of a form as it would be saved; undefined while something in it is no valid value. */
export function couponOf(schema: ResourceSchema, draft: Document): Document | undefined {
  const fields = schema.fields.filter(({ name, readOnly }) => !readOnly && !AS_THEY_ARE.includes(name))
  const { changes, faults } = fromDraft(fields, {}, {}, draft)
  if (Object.keys(faults).length > 0) return undefined
  return onlyWhatApplies(Object.fromEntries(Object.entries(changes).filter(([name]) => !STAMPS.includes(name))))
}
