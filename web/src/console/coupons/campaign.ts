// Whether a coupon has a campaign: a ledger that counts its draws and uses, because those are limited.
import { getIn } from '../crud/formState'

export const hasCampaign = (record: unknown): boolean =>
  ['issue', 'usage'].some((part) =>
    ['count__sum', 'price__sum'].some((limit) => getIn(record, `${part}.limit.shop.${limit}`) != null),
  )
