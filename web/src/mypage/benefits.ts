// Paths of a member's points and coupons.
export const MY_POINTS = '/api/v1/me/points'
export const MY_COUPONS = '/api/v1/me/coupons'
