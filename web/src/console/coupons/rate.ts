// How many of the coupons issued were used and did not come back, in whole percent.
import type { CouponFigures } from '../benefits/types'

export const rateOf = ({ issued, used, returned }: Pick<CouponFigures, 'issued' | 'used' | 'returned'>): string =>
  issued === 0 ? '-' : `${Math.round(((used - returned) / issued) * 100)}%`
