// Details of categories: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'category-detail',
  page: '/console/shop/category-details',
  menuGroup: 'products',
  load: () => import('./index'),
})
