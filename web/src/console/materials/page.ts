// Materials of products: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'material',
  page: '/console/shop/materials',
  menuGroup: 'products',
  load: () => import('./index'),
})
