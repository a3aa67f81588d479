// How many of the coupons issued were used, in whole percent.
import type { CouponFigures } from '../benefits/couponsContract'

export const rateOf = ({ issued, used }: Pick<CouponFigures, 'issued' | 'used'>): string =>
  issued === 0 ? '-' : `${Math.round((used / issued) * 100)}%`
