// Forms: their page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'form',
  page: '/console/forms',
  menuGroup: 'center',
  notInSpec: true,
  load: () => import('./index'),
})
