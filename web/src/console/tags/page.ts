// Tag events: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'tag-event',
  page: '/console/shop/tags',
  menuGroup: 'promotion',
  load: () => import('./index'),
})
