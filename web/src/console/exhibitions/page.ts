// Exhibitions: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'exhibition',
  page: '/console/shop/exhibitions',
  menuGroup: 'promotion',
  load: () => import('./index'),
})
