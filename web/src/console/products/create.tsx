// A new product. Its options and stock are set on its own page, once it exists.
import { useCategories } from '../../api/categories'
import { useSession } from '../../api/session'
import { RecordPage } from '../records/RecordPage'
import { productKind } from './kind'

export function Component() {
  const categories = useCategories()
  const me = useSession((s) => s.payload?._user)
  return (
    <RecordPage
      kind={productKind(categories)}
      // A product somebody of the staff makes is sold by the shop itself; the server makes a seller's product the seller's.
      fresh={{ _seller: me, shows: false }}
      listPage={{ to: '/console/shop/products', label: '상품' }}
      pageOf={(id) => `/console/shop/products/${id}`}
    />
  )
}
