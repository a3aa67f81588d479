// Events of the shop: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'shop-event',
  page: '/console/shop/events',
  menuGroup: 'promotion',
  load: () => import('./index'),
})
