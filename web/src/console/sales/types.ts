// Sales figures. Amounts are whole hundredths.
import type { components } from '../../api/schema.gen'

export type Sales = components['schemas']['DailyAnswer']['summary']

/** A bar or a point: what it is called, and how much was sold and taken back. */
export type Point = Sales & { label: string }

/** What a number is: an amount in hundredths, or how many of what. */
export type Unit = 'amount' | 'orders' | 'pieces' | 'coupons'
