// Review displays: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'review-display',
  page: '/console/main/review/:code',
  menuGroup: 'content',
  menuHref: '/console/main/review/MAIN',
  load: () => import('./index'),
})
