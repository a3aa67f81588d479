// What was sent with forms: its page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'inquiry',
  page: '/console/inquiries',
  menuGroup: 'center',
  load: () => import('./index'),
})
