// The editors of a coupon's rules, which come with its form and not with the list.
import type { ComponentType } from 'react'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import type { CustomField, EditProps } from '../crud/resourceDefinition'

type Fields = typeof import('./fields')

const later = (part: (fields: Fields) => ComponentType<EditProps>): ComponentType<EditProps> =>
  optional(async () => ({ default: part(await import('./fields')) }), {
    waiting: () => (
      <Loading>
        <Skeleton className="h-11" />
      </Loading>
    ),
    instead: missing,
  })

export const EventField = later((fields) => fields.EventField)
export const EventCodeField = later((fields) => fields.EventCodeField)
export const LevelsField = later((fields) => fields.LevelsField)
export const UserTypesField = later((fields) => fields.UserTypesField)
export const DisplaysField = later((fields) => fields.DisplaysField)
/** How often one member receives it, in words. */
export const roundNote: CustomField = { paths: [], component: later((fields) => fields.RoundNote) }
/** What it is, who would get it, and what it would have cost. */
export const reach: CustomField = { paths: [], component: later((fields) => fields.ReachForStaff) }
