// Sales figures. Amounts are integer hundredths.
import type { components } from '../../api/schema.gen'

export type Sales = components['schemas']['DailyAnswer']['summary']

/** A bar or a point: its label, and the amounts sold and refunded. */
export type Point = Sales & { label: string }

/** The unit of a number: hundredths, or a count of something. */
export type Unit = 'amount' | 'orders' | 'pieces' | 'coupons'
