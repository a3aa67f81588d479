// Main links: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'main-link',
  page: '/console/main/link',
  menuGroup: 'content',
  load: () => import('./index'),
})
