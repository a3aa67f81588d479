// Where a member's points and coupons are read.
export const MY_POINTS = '/api/v1/me/points'
export const MY_COUPONS = '/api/v1/me/coupons'
