// Message templates: their page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'message-template',
  page: '/console/message-templates',
  menuGroup: 'site',
  notInSpec: true,
  load: () => import('./index'),
})
