// Texts of answers to choose from: their page in the console.
import { recordPage } from '../crud/recordPage'

export default recordPage({
  kind: 'answer-template',
  page: '/console/center/answer-templates',
  menuGroup: 'center',
  notInSpec: true,
  load: () => import('./index'),
})
