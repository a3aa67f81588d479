// Common codes: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'shop-code',
  page: '/console/shop/codes',
  menuGroup: 'site',
  load: () => import('./index'),
})
